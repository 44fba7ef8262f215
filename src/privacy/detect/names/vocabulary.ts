import { WordTable } from './word-table.js';

/** Stands before a name of any kind: Mr, Frau, Mme. */
export const TITLE = 1;
/** An office or a trade before a name, which is a word of its own as well: President, Officer. */
export const OFFICE = 2;
/** Stands behind a name: Jr, III, PhD. */
export const SUFFIX = 4;
/** Between the parts of a name, in small letters: van, de, bin. */
export const PARTICLE = 8;
/** Makes a sequence of capital words an organisation, a place or a thing: Inc, University, Airport. */
export const ORGANISATION = 16;
export const SALUTATION = 32;
export const SIGN_OFF = 64;
/** What people do and things do not: said, wrote. */
export const SPEECH = 128;
/** Who somebody is, before the name: patient, colleague. */
export const ROLE = 256;
export const ARTICLE = 512;
/** A verb that starts a question, before a name: Will Anna come? */
export const AUXILIARY = 1024;
/** Introduces a name: is, called, named. */
export const NAMING = 2048;
/** Before a place: San, Fort, Lake. */
export const PLACE_HEAD = 4096;
/** Stands in a field of a name where no name is: unknown, test. */
export const PLACEHOLDER = 8192;
/** Before a person more often than before a thing: with, by, and. */
export const LINK = 16384;

export const VOCABULARY = new WordTable([
  [
    TITLE,
    'mr mrs ms miss mx dr prof professor doctor herr herrn frau fraulein monsieur mme mlle madame mademoiselle sr sra ' +
      'srta senor senora senorita don dona signor signora sig dott dottor dottoressa dhr mevr mevrouw meneer pan pani ' +
      'panu sir dame lady lord rev reverend fru hr messrs shri smt kumari ustad datuk dato sheikh',
  ],
  [
    OFFICE,
    'president senator congressman congresswoman governor mayor minister chancellor chairman chairwoman chair ceo cfo ' +
      'cto officer detective inspector sergeant sgt lieutenant lt captain capt colonel col major general commander ' +
      'judge justice attorney counsel king queen prince princess duke pope bishop archbishop cardinal father sister ' +
      'brother rabbi imam nurse coach director manager uncle aunt grandma grandpa actor actress singer agent deputy ' +
      'secretary ambassador constable corporal private admiral principal dean',
  ],
  [SUFFIX, 'jr sr ii iii iv phd md esq dds cpa rn mba msc bsc dphil jd'],
  [
    PARTICLE,
    'van der den de del della dello di da dos das do du la le los las von zu zum zur vom ten ter te bin binti ibn al el ' +
      'ben abu y e af av i und san',
  ],
  [
    ORGANISATION,
    'inc ltd llc llp plc corp corporation co company companies gmbh ag sa sarl srl spa bv nv ab oy oyj kg kgaa ohg ev ' +
      'pty limited group groupe gruppe holding holdings partners associates foundation stiftung fund trust institute ' +
      'institut university universitat universite universidad college school schule academy akademie hospital clinic ' +
      'klinik pharmacy bank banque banco insurance versicherung airlines airways airport flughafen station bahnhof ' +
      'street road avenue lane drive boulevard square plaza court highway route bridge tower center centre zentrum ' +
      'museum gallery library church cathedral chapel abbey castle palace park garden gardens forest hall house hotel ' +
      'inn restaurant cafe theatre theater cinema stadium arena club team fc sc united league cup open championship ' +
      'award awards prize department ministry agency council committee commission office bureau service services ' +
      'solutions systems system technologies technology tech software labs laboratories laboratory studios studio ' +
      'media press books records music band orchestra choir ensemble festival magazine times post journal news ' +
      'tribune herald lake river mount mountain mountains island islands valley beach bay coast county city town ' +
      'village state province region district peninsula ocean sea canyon desert effect law laws theorem syndrome ' +
      'disease test tests method algorithm model models scale index theory equation principle principles code ' +
      'protocol edition version release api sdk server cluster database engine framework project program programme ' +
      'plan act bill treaty agreement contract series class line collection brand store shop market markets ' +
      'industries enterprises ventures capital consulting logistics motors energy electric pharma foods traders ' +
      'toys clock pen lamp watch phone cloud studio suite platform app reactor report portal pro max plus mini ' +
      'union association society federation party church army navy police day week night eve war battle airport ' +
      'bros brothers sons bakery farm farms winery brewery vineyards estate estates university hills heights terrace',
  ],
  [
    SALUTATION,
    'hi hello hey dear hallo hola bonjour bonsoir salut liebe lieber geehrter geehrte estimado estimada querido querida ' +
      'cher chere caro cara ciao gentile beste geachte hej kara kare ola prezado prezada moin servus',
  ],
  [
    SIGN_OFF,
    'regards thanks cheers sincerely best yours faithfully truly wishes gruss grusse grusse saludos cordialement ' +
      'salutations groeten groet saluti cordiali sinceramente atentamente bedankt merci danke gracias hilsen',
  ],
  [
    SPEECH,
    'say says said ask asks asked tell tells told reply replies replied write writes wrote explained stated argued ' +
      'admitted recalled tweeted laughed smiled shrugged nodded whispered shouted married divorced met thanked ' +
      'lives lived died born phoned emailed resigned retired sagte sagt dit dijo disse',
  ],
  [
    ROLE,
    'patient customer client employee member contact colleague friend wife husband son daughter mother father mom dad ' +
      'brother sister neighbour neighbor partner tenant landlord driver passenger applicant candidate student teacher ' +
      'author writer editor actor actress singer player director producer engineer developer designer analyst ' +
      'consultant accountant lawyer attorney doctor nurse therapist dentist surgeon manager supervisor owner holder ' +
      'cardholder beneficiary recipient sender assignee reporter reviewer approver requester suspect victim witness ' +
      'defendant plaintiff claimant policyholder insured guest visitor resident volunteer subscriber founder cofounder ' +
      'ceo cto cfo chairman president boss assistant intern officer agent technician operator administrator patiente ' +
      'kunde kundin mitarbeiter mitarbeiterin kollege kollegin patientin client cliente empleado paciente',
  ],
  [ARTICLE, 'the a an this that these those my your our their its der die das ein eine el los las une'],
  [
    AUXILIARY,
    'will may can do did does has is are was were should would could when where if while and but so as',
  ],
  [NAMING, 'is am named called nicknamed heisst heisse llamo llama appelle alias aka naam namens'],
  [
    PLACE_HEAD,
    'san santa santo sao saint st los las el fort port mount lake new north south east west upper lower',
  ],
  [
    PLACEHOLDER,
    'none null nil unknown anonymous undefined default test testing tester sample example demo dummy placeholder string ' +
      'text name names user users username admin administrator root guest system bot service first last full surname ' +
      'given family na n tbd todo various multiple other others nobody someone anyone everyone all any true false yes ' +
      'no empty missing required optional number integer boolean object array varchar char value field column active ' +
      'inactive pending deleted redacted removed hidden masked private confidential unassigned unbekannt inconnu',
  ],
  [LINK, 'and with by from to for und mit von et avec par y con por e per'],
]);
