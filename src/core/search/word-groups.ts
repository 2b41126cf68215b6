/** Verbs that ask for much the same. A verb may stand in several groups. */
export const verbGroups = [
  'get fetch retrieve obtain grab pull acquire', 'read open load view show display see print inspect', 'list enumerate browse show',
  'search find query lookup discover locate seek explore browse hunt', 'create make generate build produce compose construct new',
  'draw plot sketch paint render visualize chart graph illustrate', 'add insert append attach include put', 'write save store record export persist put', 'write add append insert',
  'update edit modify change alter revise set adjust patch amend', 'delete remove erase drop clear destroy discard purge trash', 'send post submit deliver publish share message notify',
  'reply respond answer', 'run execute launch start invoke perform evaluate call', 'stop end close terminate kill cancel quit abort halt finish',
  'convert transform translate turn change export', 'calculate compute evaluate estimate count solve', 'analyze examine assess study investigate inspect evaluate review',
  'compare diff contrast difference change', 'summarize condense digest recap brief outline overview', 'merge combine join concatenate unite', 'split divide separate cut break',
  'copy duplicate clone replicate', 'move rename relocate transfer', 'check verify validate test ensure confirm', 'choose select pick', 'recommend suggest advise propose',
  'download fetch save pull', 'upload push send', 'schedule plan book arrange reserve', 'schedule create add', 'cancel delete remove', 'mail email send message',
  'tell notify message send inform', 'buy purchase order shop', 'click press tap', 'type fill enter input', 'navigate visit go browse open', 'register sign enroll subscribe',
  'login authenticate authorize', 'enable activate switch', 'disable deactivate', 'assign allocate give', 'filter narrow restrict', 'sort order rank', 'monitor watch track observe follow',
  'remember memorize store recall', 'extract parse scrape pull', 'crawl scrape spider fetch', 'resize scale crop', 'commit save record', 'deploy release ship publish launch',
  'approve accept confirm', 'reject decline deny refuse', 'lookup resolve find get',
] as const;

/** Things that go by several words. */
export const nounGroups = [
  'config configuration settings preferences', 'auth authentication authorization login', 'env environment variable', 'dir directory', 'msg message', 'k8s kubernetes cluster', 'pr pull',
  'ci workflow pipeline', 'app application program', 'param parameter argument', 'tag label', 'attachment enclosure',
  'picture image photo photograph screenshot img', 'picture image figure', 'price cost quote rate value worth fee', 'stock share equity ticker symbol security',
  'company corporation firm business organization', 'repository repo codebase', 'document doc docx word', 'documentation docs doc manual guide reference', 'mail email message inbox',
  'directory folder', 'file document', 'picture icon logo', 'task todo issue ticket item', 'issue bug ticket', 'meeting event appointment calendar', 'calendar schedule agenda date',
  'person user contact people member', 'user account profile', 'profile bio account', 'chat conversation channel message', 'comment remark reply note', 'note memo jotting',
  'website site web webpage page url', 'url link address uri href', 'internet web online', 'place location spot point poi venue', 'address location place street',
  'coordinate latitude longitude geographic gps geocode position lat lon', 'geocode location coordinate address', 'nearby near around close vicinity',
  'attraction sight landmark amenity interest', 'route direction path itinerary way navigation', 'trip travel journey tour vacation holiday itinerary',
  'hotel lodging accommodation stay homestay listing rental', 'flight plane airline', 'train railway rail', 'car vehicle automobile', 'bike bicycle cycle cycling biking',
  'restaurant food dining eat', 'place restaurant cafe shop school hospital venue', 'bill invoice', 'refund money payment', 'balance money account', 'payment money charge',
  'dish recipe meal food cook', 'movie film', 'music song track audio', 'audio sound wav mp3', 'video clip film', 'paper article publication preprint study', 'article story post entry',
  'news headline story article', 'trend trending hot popular rank', 'rank ranking leaderboard top best', 'latest recent newest', 'current now present', 'history historical past',
  'time date clock', 'period range interval month week year duration', 'weather forecast temperature climate', 'presentation slide powerpoint ppt pptx deck slideshow',
  'spreadsheet excel sheet xlsx workbook xls', 'sheet worksheet tab', 'table grid', 'pdf acrobat', 'markdown md', 'text txt plain string', 'picture png jpg jpeg gif svg', 'html webpage',
  'chart graph plot diagram figure', 'diagram flowchart', 'package library module dependency', 'dependency requirement', 'vulnerability security cve exploit', 'size bundle weight',
  'code source program script snippet', 'function method procedure', 'component widget element', 'example sample demo snippet', 'error bug exception failure fault', 'log logs trace',
  'database db sql table', 'row record entry', 'container docker', 'server host machine', 'process job task', 'command shell terminal console bash', 'branch fork',
  'change modification edit difference', 'crypto cryptocurrency bitcoin btc eth ethereum coin', 'money currency exchange cash', 'finance financial economic economy market', 'cashflow cash',
  'asset commodity gold silver metal', 'earnings profit income', 'dataset data', 'information info detail data', 'detail details description metadata properties',
  'statistic stats metric analytics', 'number amount count quantity', 'random randomly shuffle dice lottery raffle', 'school education university',
  'hospital clinic healthcare medical health', 'disease cancer illness condition', 'treatment therapy intervention drug medicine', 'trial study clinical',
  'gene genetic variant mutation genome', 'game play match', 'player gamer summoner', 'character hero champion', 'build item equipment', 'position role lane', 'job work career position',
  'product item goods merchandise', 'shop store market ecommerce', 'order purchase', 'customer client', 'transcript caption subtitle', 'language locale', 'theme style design',
  'problem question challenge exercise', 'paragraph text sentence content', 'heading header title headline', 'entity node object', 'relation relationship edge link', 'knowledge memory',
  'thought reasoning thinking', 'encyclopedia wikipedia wiki', 'secret password credential token', 'version release', 'changelog release', 'neighborhood area district',
  'neighborhood neighbourhood', 'color colour', 'favorite favourite', 'center centre', 'license licence', 'catalog catalogue', 'gray grey', 'organization organisation', 'optimize optimise',
  'summarize summarise', 'visualize visualise',
] as const;

/** Chinese words of software and daily life with their English words: many servers speak Chinese alone. */
export const translationGroups = [
  '新闻 资讯 news', '天气 weather', '查询 query search get', '搜索 search', '获取 get', '图片 图像 picture image', '文件 file', '文档 document documentation', '菜谱 recipe dish', '食材 ingredient', '日期 date',
  '时间 time', '车票 余票 ticket', '火车 列车 train', '车站 station', '城市 city', '地图 map', '榜单 热榜 排行 热门 rank trend popular hot', '组件 component', '示例 example', '幻灯 slide', '价格 price', '卡牌 card',
  '用户 user', '代码 code', '网页 webpage page', '科技 technology tech', '财经 金融 经济 finance economy', '商业 business', '游戏 game', '电影 movie', '图书 book', '音乐 music', '视频 video', '酒店 hotel', '路线 route',
  '翻译 translate', '邮件 email', '消息 message', '发送 send', '创建 新建 create', '删除 delete', '更新 update', '修改 modify', '列表 列出 list', '数据 data', '目录 directory', '表格 table', '股票 stock', '推荐 recommend',
  '详细 详情 detail', '信息 information', '角色 character', '套装 set', '分析 analyze', '计算 calculate', '转换 convert', '保存 save', '插入 insert', '下载 download', '上传 upload', '链接 link', '产品 product',
  '数码 digital electronics gadget', '购物 消费 shopping buy consumer', '国际 international world', '社会 society', '政治 politics', '体育 sports', '健康 health', '教育 education', '文章 article', '项目 project',
  '任务 task', '日历 calendar', '会议 meeting', '联系 contact', '地址 address', '位置 location', '问题 question problem', '评论 comment', '模型 model', '人工 智能 ai', '语音 voice',
] as const;

/** What belongs to one matter without being the same. */
export const matterGroups = [
  'stock ticker symbol price market finance investment dividend earnings income cashflow', 'investment invest stock finance market fund portfolio recommendation',
  'company stock financial fundamental', 'place address map geocode coordinate route nearby distance location km radius tour city hotel',
  'tour trip travel place route hotel weather nearby attraction', 'park parking car garage', 'commute driving walking biking route transport', 'weather temperature wear rain forecast city',
  'tomorrow today yesterday now date time current', 'shop price product browser page navigate', 'website page browser url navigate html',
  'recipe dinner potluck lunch breakfast dish cook ingredient eat meal kitchen', 'paper research scholar study abstract science journal',
  'encyclopedia overview article source reference search', 'framework library react nextjs typescript javascript documentation component middleware',
  'npm package react javascript bundle dependency', 'llm ai model technology tech news', 'electronics gadget technology consumer digital product',
  'cancer disease treatment clinical trial gene article biomedical medical', 'drug medicine clinical biomedical', 'report summary document write', 'save file write path',
  'tutorial documentation example guide', 'compare difference diff lines', 'video youtube transcript', 'meeting calendar event invite attendee',
  'pull request branch commit merge repository', 'deploy container service cluster',
] as const;
