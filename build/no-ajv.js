// Stands in for @rjsf/validator-ajv8, which @rjsf/core imports for its own tests alone. Ajv makes code from strings, and
// the window's content security policy forbids that.
// oxlint-disable-next-line import/no-default-export -- what is imported is the default
export default {};
