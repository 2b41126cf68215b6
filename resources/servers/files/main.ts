// The reference file server, unchanged: it reads the folders it may use from its arguments and starts at once.
import '@modelcontextprotocol/server-filesystem/dist/index.js';
