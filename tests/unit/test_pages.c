/* The readers of HTML, XML, TEI and Markdown: what they keep of a page, and what hostile pages do.
 */
#include "check.h"

#include "corpus/import_check.h"
#include "corpus/pages/page_reader.h"
#include "corpus/text/rules/text_rules.h"
#include "corpus/text/text_source.h"

/* Without libxml2 HTML and XML are text. */
static bool has_parser;

static const char fields[] =
    "title,author,date,place,publisher,language,keywords,description,id,abstract,og:site";

static char faults[400];
static bool was_read;

/* The documents of a page, `text|` each, and with their fields in brackets: `[title=x]text|`. */
static const char *page(ez_page_kind kind, const char *text)
{
    static char shown[1 << 16];
    ez_field_plan plan = {0};
    ez_page_set set = {0};
    ez_page_fault fault;
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    options.keep_fields = fields;
    CHECK_OK(check_context(), ez_field_plan_init(&plan, check_context(), &options));
    size_t n = strlen(text), used = 0;
    char *copy = malloc(n + 1);
    memcpy(copy, text, n + 1);
    ez_page_set_begin(&set, &plan);
    ezlda_status status = ez_page_read(&set, check_context(), kind, copy, n, &was_read, &fault);
    CHECK((status == EZLDA_OK) == !fault.text[0]);
    snprintf(faults, sizeof faults, "%llu: %s", (unsigned long long)fault.line, fault.text);
    ez_span slots[32] = {{0}};
    uint64_t number;
    shown[0] = '\0';
    while (status == EZLDA_OK && was_read && ez_page_set_next(&set, slots, &number)) {
        for (uint32_t i = EZ_SLOT_KEPT; i < plan.slots; i++)
            if (slots[i].at)
                used += (size_t)snprintf(shown + used, sizeof shown - used, "[%s=%.*s]",
                                         plan.names[i], (int)slots[i].n, slots[i].at);
        used += (size_t)snprintf(shown + used, sizeof shown - used, "%.*s|",
                                 (int)slots[EZ_SLOT_TEXT].n, slots[EZ_SLOT_TEXT].at);
        memset(slots, 0, sizeof slots);
    }
    ez_page_set_free(&set);
    ez_field_plan_free(&plan);
    free(copy);
    return shown;
}

#define XML(kind, text, expected)               \
    do {                                        \
        const char *seen_ = page(kind, (text)); \
        if (has_parser)                         \
            CHECK_STR(seen_, expected);         \
        else                                    \
            CHECK(!was_read);                   \
    } while (0)
#define HTML(text, expected) XML(EZ_PAGE_HTML, text, expected)
#define TEI(text, expected) XML(EZ_PAGE_TEI, text, expected)

TEST(is_there_a_parser)
{
    page(EZ_PAGE_HTML, "<p>x");
    has_parser = was_read;
#ifdef EZLDA_LIBXML2
    CHECK(has_parser);
#endif
}

/* ---- HTML ---- */

TEST(text_of_the_body_in_reading_order)
{
    HTML("<p>one <b>t</b>wo<br>three</p><p>four\n  five</p>", "one two\nthree\n\nfour five|");
    HTML("<ul><li>a<li>b</ul><table><tr><td>c</td><td>d</td></tr><tr><td>e</table>",
         "a\nb\n\nc d\ne|");
    HTML("<p>caf&eacute; &amp; na&#239;ve &lt;b&gt; M&#xFC;ller&nbsp;x</p>",
         "caf\xc3\xa9 & na\xc3\xafve <b> M\xc3\xbcller\xc2\xa0x|");
    HTML("<pre>one\n  two\n\nthree</pre>four\nfive", "one\ntwo\n\nthree\n\nfour five|");
    HTML("", "|");
    HTML("just words", "just words|");
}

TEST(what_is_no_text_of_a_page)
{
    HTML("<script>if (a<b) document.write('<p>x</p>')</script>one<style>p { color: red }</style>",
         "one|");
    HTML("<nav><ul><li>home</li></ul></nav><p>one</p><noscript>two</noscript><template><p>three"
         "</p></template><svg><title>four</title></svg><!-- five --><select><option>six</select>",
         "one|");
    HTML("<header>a</header><footer>b</footer><aside>c</aside>", "a\n\nb\n\nc|");
}

TEST(fields_of_a_page)
{
    HTML("<!DOCTYPE html><html lang=de><head><title> Die\n See </title>"
         "<meta name=Author content=' A B '><meta name=author content=C>"
         "<meta property='og:site' content=S><meta name=description content='d'>"
         "<meta name=keywords content='x, y'><meta name='DC.date' content=1901>"
         "</head><body><h1>Other</h1>x</body></html>",
         "[title=Die See][author=A B; C][date=1901][language=de][keywords=x, y][description=d]"
         "[og:site=S]Other\n\nx|");
    HTML("<h1>The <i>S</i>hip</h1><h1>No</h1>", "[title=The Ship]The Ship\n\nNo|");
    HTML("<html xml:lang='fr'><meta name=dcterms.creator content=A><meta name=dcterms.creator "
         "content=B><meta name='article:published_time' content=2001><meta name=date content=2002>",
         "[author=A; B][date=2001; 2002][language=fr]|");
    HTML("<title></title><meta name=author><meta content=x><h1></h1>y", "y|");
}

TEST(xhtml_is_html)
{
    HTML("<?xml version='1.0'?><!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x.dtd'>"
         "<html xmlns='http://www.w3.org/1999/xhtml' xml:lang='en'><head><title>T</title></head>"
         "<body><p>a&nbsp;b<br/>c</p><script/><p>d</p></body></html>",
         "[title=T][language=en]a\xc2\xa0"
         "b\nc\n\nd|");
}

TEST(broken_html_is_text)
{
    HTML("<p>one<b>two<i>three</b>four</p></div></x>five", "onetwothreefour\n\nfive|");
    HTML("<p>one</p><p>two", "one\n\ntwo|");
    HTML("<p title='no end>one</p>", "|");
    HTML("one \x01\x02 two\f three", "one two three|");
    HTML("<", "<|");
    HTML("a < b &unknown; &#0; &#xD800; &#99999999; c", "a < b &unknown; c|");
}

TEST(hostile_html)
{
    enum { LEVELS = 200000 };
    char *text = malloc(LEVELS * 4 + 10);
    text[0] = '\0';
    for (int i = 0; i < LEVELS; i++)
        memcpy(text + 3 * i, "<b>", 4);
    CHECK_STR(page(EZ_PAGE_HTML, text), "");
    CHECK(!was_read);
    strcpy(text, "<a");
    for (int i = 0; i < LEVELS / 2; i++)
        snprintf(text + 2 + 7 * i, 8, " %06d", i);
    CHECK_STR(page(EZ_PAGE_HTML, text), "");
    CHECK(!was_read);
    free(text);
}

/* ---- XML ---- */

TEST(text_of_all_elements)
{
    XML(EZ_PAGE_XML,
        "<?xml version='1.0'?><doc><id>7</id><abstract>one</abstract><p>t<b>w</b>o</p></doc>",
        "[id=7][abstract=one]7\n\none\n\ntwo|");
    XML(EZ_PAGE_XML, "\n <a xml:lang='en'><title>T</title><![CDATA[x < y]]></a>",
        "[title=T][language=en]T\n\nx < y|");
    XML(EZ_PAGE_XML, "<a>one\ntwo\n\nthree</a>", "one\ntwo\n\nthree|");
    XML(EZ_PAGE_XML, "<a><text>x</text><text>y</text></a>", "x\ny|");
}

TEST(errors_of_xml)
{
    static const struct {
        const char *text, *fault;
    } cases[] = {
        {"<a>\n<b>x</a>", "2: expected well-formed XML, found an error: Opening and ending tag"},
        {"\n\n<a>\nx", "4: expected well-formed XML, found an error: "},
        {"<a x='1' x='2'/>", "1: expected well-formed XML, found an error: Attribute x redefined"},
        {"<a>&#0;</a>", "1: expected well-formed XML, found an error: "},
        {"plain", "1: expected well-formed XML, found an error: Start tag expected"},
        {"", "1: expected well-formed XML, found an error: "},
    };
    for (size_t i = 0; has_parser && i < sizeof cases / sizeof *cases; i++) {
        CHECK_STR(page(EZ_PAGE_XML, cases[i].text), "");
        if (strncmp(faults, cases[i].fault, strlen(cases[i].fault)) != 0)
            CHECK_FAIL("expected \"%s\", found \"%s\"", cases[i].fault, faults);
    }
}

TEST(entities_do_not_grow)
{
    XML(EZ_PAGE_XML,
        "<!DOCTYPE a [<!ENTITY x 'lol'><!ENTITY y '&x;&x;&x;'><!ENTITY z '&y;&y;&y;'>]>"
        "<a>&x; &y; &z; &eacute; &mdash; &none; &amp; &#65;</a>",
        "lol \xc3\xa9 \xe2\x80\x94 & A|");
    XML(EZ_PAGE_XML,
        "<!DOCTYPE a SYSTEM 'http://localhost:9/a.dtd' [<!ENTITY x SYSTEM "
        "'file:///etc/passwd'><!ENTITY % p SYSTEM 'file:///etc/passwd'>%p;]>"
        "<a b='&x;'>one&x;two</a>",
        "one two|");
    XML(EZ_PAGE_XML,
        "<!DOCTYPE a [<!ENTITY big '0123456789012345678901234567890123456789012345678"
        "9012345678901234567890123456789'>]><a>&big;x</a>",
        "x|");
    XML(EZ_PAGE_XML, "<a xml:lang='&eacute;x'>y</a>", "[language=x]y|");
}

TEST(hostile_xml)
{
    enum { LEVELS = 100000 };
    char *text = malloc(LEVELS * 50);
    for (int i = 0; i < LEVELS; i++)
        memcpy(text + 3 * i, "<a>", 4);
    if (has_parser) {
        CHECK_STR(page(EZ_PAGE_XML, text), "");
        CHECK(strstr(faults, "depth") != NULL);
    }
    strcpy(text, "<!DOCTYPE a [");
    size_t used = strlen(text);
    for (int i = 0; i < LEVELS / 4; i++)
        used += (size_t)sprintf(text + used, "<!ATTLIST a b%d CDATA 'x'>", i);
    strcpy(text + used, "]><a/>");
    if (has_parser)
        CHECK_STR(page(EZ_PAGE_XML, text), "");
    CHECK(!has_parser || strstr(faults, "1: expected an XML document, found a document type"));
    free(text);
}

/* ---- TEI ---- */

#define TEI_TEXT(text) \
    "<TEI xmlns='http://www.tei-c.org/ns/1.0'><text><body>" text "</body></text></TEI>"

TEST(words_that_lines_cut)
{
    TEI(TEI_TEXT("<p>Was<lb break='no'/>ser Schif-<lb/>fahrt und-\n<lb/>so</p>"),
        "Wasser Schiffahrt undso|");
    TEI(TEI_TEXT("<p>Mee-<lb break=\"no\"/>Res Nord-<lb/>See Nord<lb/>see</p>"),
        "MeeRes Nord-\nSee Nord\nsee|");
    TEI(TEI_TEXT("<p>Leucht\xc2\xac<pb/><fw>12</fw>turm a-<lb/>1 -<lb/>b</p>"),
        "Leuchtturm a-\n1 -\nb|");
    TEI(TEI_TEXT("<p>in <hi>k</hi>lein<p/>end-</p><p>next</p>"), "in klein\n\nend-\n\nnext|");
}

TEST(one_of_several_readings)
{
    TEI(TEI_TEXT("<p><choice><orig>vnd</orig><reg>und</reg></choice> "
                 "<choice><sic>a</sic><corr>b</corr></choice> <app><lem>c</lem><rdg>d</rdg></app> "
                 "<app><rdg>e</rdg><rdg>f</rdg></app> <del>g</del> <sic>h</sic></p>"),
        "und b c e h|");
    TEI(TEI_TEXT("<p>a<note type='editorial'>no</note>b<note resp='editor'>no</note> "
                 "<note place='foot'>c</note><figure><figDesc>no</figDesc></figure></p>"),
        "ab c|");
}

TEST(headers_and_documents)
{
    static const char header[] =
        "<teiHeader><fileDesc><titleStmt><title>T <hi>x</hi></title><title>sub</title>"
        "<author><forename>A</forename><surname>B</surname></author><author>C</author>"
        "<respStmt><name>no</name></respStmt></titleStmt><publicationStmt><publisher>P</publisher>"
        "<date>2012</date><pubPlace>Online</pubPlace></publicationStmt><seriesStmt><title>no"
        "</title></seriesStmt><sourceDesc><bibl><title>no</title><date when='1843-05'>x</date>"
        "<pubPlace>Berlin</pubPlace></bibl></sourceDesc></fileDesc><profileDesc><langUsage>"
        "<language ident='deu'>German</language></langUsage></profileDesc></teiHeader>";
    char text[4000];
    snprintf(text, sizeof text,
             "<teiCorpus><teiHeader><fileDesc><titleStmt><title>no</title></titleStmt></fileDesc>"
             "</teiHeader><TEI xml:id='one' xml:lang='en'>%s<text><front>no</front><body>x</body>"
             "<back>no</back></text></TEI><TEI><text><body><div>y</div><div>z</div></body></text>"
             "</TEI><TEI><teiHeader/></TEI></teiCorpus>",
             header);
    TEI(text, "[title=T x][author=A B; C][date=1843-05][place=Berlin][publisher=P][language=deu]"
              "[id=one]x|y\n\nz||");
    TEI("<TEI><TEI xml:id='a'><text>x</text></TEI><TEI xml:id='b'><text>y</text></TEI></TEI>",
        "[id=a]x|[id=b]y|");
    TEI("<TEI.2><teiHeader><fileDesc><titleStmt><title>T</title></titleStmt></"
        "fileDesc><profileDesc>"
        "<creation><date value='1700'/></creation></profileDesc></teiHeader><text><body><l>a</l>"
        "<l>b</l></body></text></TEI.2>",
        "[title=T][date=1700]a\nb|");
}

/* ---- Markdown ---- */

#define MARKDOWN(text, expected) CHECK_STR(page(EZ_PAGE_MARKDOWN, (text)), expected)

TEST(markdown_without_its_marks)
{
    MARKDOWN("# One #\n\nTwo **b**old *it*al `code`\n2*3\n",
             "[title=One]# One #\n\nTwo bold ital code\n2*3\n|");
    MARKDOWN("a [link](http://x.org/y \"t\") b ![pic](z.png) c [ref][r] d\n\n[r]: http://x.org\n",
             "a link b pic c ref d\n\n|");
    MARKDOWN("[![in](a.png)](b) [not a link] (x) [y](some words) z[^1]\n\n[^1]: note\n",
             "in [not a link] (x) [y](some words) z\n\n: note\n|");
    MARKDOWN("* one\n* t*w*o\n\\*star\\* \\_x\n", " one\n two\n*star* _x\n|");
    MARKDOWN("Title\n=====\ntext\n", "[title=Title]Title\n=====\ntext\n|");
}

TEST(code_goes)
{
    MARKDOWN("a\n```python\nx = 1\n```\nb\n~~~~\n```\ny\n~~~\n~~~~\nc\n", "a\n\nb\n\nc\n|");
    MARKDOWN("a\n\n    code\n\n    more\nb\n    still b\n", "a\n\n\nb\nstill b\n|");
    MARKDOWN("- item\n\n      text of it\n\nend\n", "- item\n\ntext of it\n\nend\n|");
    MARKDOWN("a\n```\nno end\n", "a\n\n|");
    MARKDOWN("```not a fence``` x\n", "not a fence x\n|");
}

TEST(fields_before_markdown)
{
    MARKDOWN("---\nTitle: \"The: *Ship*\"\ndate: 1999-01-02 # day\ntags: [a, \"b, c\"]\nauthor:\n"
             "  - A\n  - B\nlang: de\nabstract: |\n  one\n  two\nother: x\n---\n# No\ntext\n",
             "[title=The: *Ship*][author=A; B][date=1999-01-02][language=de][keywords=a; b, c]"
             "[abstract=one; two]# No\ntext\n|");
    MARKDOWN("---\nauthor:\n  - name: A\n    mail: x\n  - name: B\n...\ntext\n",
             "[author=A; B]text\n|");
    MARKDOWN("+++\ntitle = \"T\"\ndate = 2001-01-01\ntags = ['a']\n+++\ntext\n",
             "[title=T][date=2001-01-01][keywords=a]text\n|");
    MARKDOWN("% T\n% A\n% 1999\ntext\n", "[title=T][author=A][date=1999]text\n|");
    MARKDOWN("---\na rule\n---\ntext\n", "[title=a rule]---\na rule\n---\ntext\n|");
    MARKDOWN("---\nkey: no end\n", "---\nkey: no end\n|");
}

/* ---- whole files ---- */

static char *content_of(const char *name)
{
    static char text[2][1 << 14], path[1024];
    static int turn;
    char *to = text[turn = !turn];
    snprintf(path, sizeof path, CHECK_SOURCE_DIR "/tests/data/pages/%s", name);
    FILE *file = fopen(path, "rb");
    size_t n = file ? fread(to, 1, sizeof text[0] - 1, file) : 0;
    if (!file || fclose(file) || !n)
        CHECK_FAIL("%s cannot be read", path);
    to[n] = '\0';
    return to;
}

/* The expected result lies beside each file, as NAME.out. */
static void check_golden(ez_page_kind kind_of_page, const char *name)
{
    char result[64];
    snprintf(result, sizeof result, "%s.out", name);
    char seen[1 << 14];
    snprintf(seen, sizeof seen, "%s\n", page(kind_of_page, content_of(name)));
    if (kind_of_page == EZ_PAGE_MARKDOWN || has_parser)
        CHECK_STR(seen, content_of(result));
}

TEST(golden_pages)
{
    check_golden(EZ_PAGE_HTML, "harbour.html");
    check_golden(EZ_PAGE_TEI, "letters.xml");
    check_golden(EZ_PAGE_MARKDOWN, "notes.md");
}

/* ---- kinds and encodings ---- */

static ez_page_kind kind(const char *name, const char *head)
{
    return ez_page_kind_of(name, head, strlen(head));
}

TEST(name_and_content_agree)
{
    CHECK_EQ(kind("x/a.html", "<p>x"), EZ_PAGE_HTML);
    CHECK_EQ(kind("a.HTM.gz", "\xef\xbb\xbf words <br>"), EZ_PAGE_HTML);
    CHECK_EQ(kind("a.html", "only words"), EZ_PAGE_TEXT);
    CHECK_EQ(kind("a.html", ""), EZ_PAGE_TEXT);
    CHECK_EQ(kind("a.xml", "<?xml version='1.0'?>\n<!-- <html> -->\n<html>"), EZ_PAGE_HTML);
    CHECK_EQ(kind("a.xml", "<!DOCTYPE a [<!ENTITY x '>'>]><tei:TEI x='y'>"), EZ_PAGE_TEI);
    CHECK_EQ(kind("a.html", "<?xml version='1.0'?><teiCorpus>"), EZ_PAGE_TEI);
    CHECK_EQ(kind("a.tei", "<doc/>"), EZ_PAGE_XML);
    CHECK_EQ(kind("a.xml", "no tags"), EZ_PAGE_TEXT);
    CHECK_EQ(kind("a.md", "# x"), EZ_PAGE_MARKDOWN);
    CHECK_EQ(kind("a.markdown", "<!DOCTYPE HTML><p>"), EZ_PAGE_HTML);
    CHECK_EQ(kind("a.txt", "<!DOCTYPE html><html>"), EZ_PAGE_TEXT);
    CHECK_EQ(kind("page", "<!DOCTYPE html><p>"), EZ_PAGE_HTML);
    CHECK_EQ(kind("-", "<?xml version='1.0'?><a>"), EZ_PAGE_XML);
    CHECK_EQ(kind("mail", "<a href='x'>"), EZ_PAGE_TEXT);
    CHECK_EQ(kind("mail", "<joe@x.org> wrote"), EZ_PAGE_TEXT);
    CHECK_EQ(kind("md", "# x"), EZ_PAGE_TEXT);
}

static const char *charset(const char *head)
{
    static char name[EZ_ENCODING_NAME];
    return ez_page_charset(head, strlen(head), name) ? name : "";
}

TEST(encodings_that_pages_declare)
{
    CHECK_STR(charset("<?xml version='1.0' encoding=\"ISO-8859-2\"?>"), "ISO-8859-2");
    CHECK_STR(charset("<html><meta name=x><META CHARSET=shift_jis>"), "SHIFT_JIS");
    CHECK_STR(charset("<meta http-equiv=content-type content='text/html; charset=iso-8859-1'>"),
              "WINDOWS-1252");
    CHECK_STR(charset("<meta charset=utf-8>"), "");
    CHECK_STR(charset("<meta charset=utf-16>"), "");
    CHECK_STR(charset("<meta charset=no-such-encoding>"), "");
    CHECK_STR(charset("<p>charset=latin1</p>"), "");
    CHECK_STR(charset("<meta charset"), "");
}

/* ---- what earlier text says ---- */

/* Whether pages are read as such for rules with one setting. */
static bool reads_pages_like(const char *setting, const char *value)
{
    ez_buffer rules = {0};
    ez_strings none = {0};
    ez_rule_settings settings = {0};
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    CHECK_OK(check_context(), ez_rule_settings_set(&settings, check_context(), setting, value));
    CHECK_OK(check_context(),
             ez_text_rules_write(&rules, check_context(), &options, &none, &none, &settings));
    options.like = (const ezlda_text_rules *)(const void *)rules.data;
    bool reads = ez_import_reads_pages(&options);
    ez_rule_settings_free(&settings);
    ez_free(rules.data);
    return reads;
}

TEST(text_is_read_as_before)
{
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    CHECK(ez_import_reads_pages(&options));
    CHECK(reads_pages_like(EZ_PAGES_SETTING, "read"));
    CHECK(!reads_pages_like(EZ_MARKUP_SETTING, EZ_MARKUP_REMOVED));
    options.keep_markup = 1;
    CHECK(!ez_import_reads_pages(&options));
    options.format = "html";
    CHECK(ez_import_reads_pages(&options));
    options.keep_markup = 0;
    options.format = "text";
    CHECK(!ez_import_reads_pages(&options));
    options.format = NULL;
    options.tokens = "pre";
    CHECK(!ez_import_reads_pages(&options));
}

TEST_MAIN()
