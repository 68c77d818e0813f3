/* The filter of markup: tags, entities, URLs, addresses and encoded data are removed, prose
 * stays. */
#include "check.h"

#include "corpus/input/utf8.h"
#include "corpus/markup/markup_filter.h"

static ez_markup_counts counts;

/* The text after the filter; `counts` says what was removed. */
static const char *clean(const char *text)
{
    static char room[1 << 16];
    size_t n = strlen(text);
    counts = (ez_markup_counts){0};
    memcpy(room, text, n);
    n = ez_markup_clean(room, n, &counts);
    CHECK_EQ(ez_utf8_check(room, n), n);
    room[n] = '\0';
    return room;
}

/* Whether the filter leaves a text as it is. */
static void stays(const char *text)
{
    CHECK_STR(clean(text), text);
    CHECK_EQ(counts.docs, 0);
}

TEST(prose_stays)
{
    stays("");
    stays("<");
    stays("a & b");
    stays("Plain words -- and more --- of them; at 10:30, 5 @ $3, AT&T, R&D; e.g. this.");
    stays("i <3 you, a < b and c > d, x<-3, if i<p and p>q then a<b && c>d, <- ->, <=> <<EOF");
    stays("he said <grin> and <evil laugh> to <John Smith>, see <1> and <2>");
    stays("@mention and name@host are not addresses, nor is a@b.c1 or @example.com");
    stays("wwwx and awww.cute and www. and www");
    stays("THE WHOLE OF THIS IS WRITTEN IN CAPITAL LETTERS, AS SOME PEOPLE DO WHEN THEY SHOUT AT "
          "OTHERS.\n"
          "MANY OF THEM DO THAT IN EVERY MAIL WHICH THEY WRITE. THE NUMBERS 1, 2, 3, 4 AND 5 ARE "
          "FINE\n"
          "MORE CAPITALS FOLLOW ON THIS LINE, WITH A FULL STOP AT THE END. AND THAT IS ALL OF IT. "
          "BYE");
    stays(
        "1983 12.5 1984 13.1 1985 14.9 1986 22.6 1987 20.0 1988 -9.1 1989 (17.3) 1990 44 1991 88");
    stays("pneumonoultramicroscopicsilicovolcanoconiosisandhippopotomonstrosesquippedaliophobia1234"
          "5678");
    stays("/usr/share/doc/some-package/examples/with/a/long/path/that/has/no/spaces/at/all/"
          "README.txt");
    stays(
        "one,two,three,four,five,six,seven,eight,nine,ten,eleven,twelve,thirteen,fourteen,fifteen");
    stays("someFunctionName(firstArgument,secondArgument)->anotherMember.yetAnotherOne[index]="
          "value;");
    stays("&unknown; &; &#; &#x; &;amp &notaword &that");
}

TEST(lt_without_semicolon_is_decoded)
{
    CHECK_STR(clean("a &lt b &amp c&nbsp d"), "a < b & c\xc2\xa0 d");
    CHECK_EQ(counts.entities, 3);
}

TEST(tags_go_and_inline_ones_do_not_cut_words)
{
    CHECK_STR(clean("one<br />two<br>three"), "one two three");
    CHECK_EQ(counts.tags, 2);
    CHECK_EQ(counts.docs, 1);
    CHECK_STR(clean("<b>W</b>ord and <SPAN class=\"x y\" id=z>more</SPAN>"), "Word and more");
    CHECK_STR(clean("<p align=center>one</p><table border><tr><td nowrap>two</td></tr></table>"),
              " one    two   ");
    CHECK_STR(clean("<a href='http://x.org/?a=1&b=2'>link</a>"), "link");
    CHECK_STR(clean("<img src=\"a>b.png\" alt=''>x"), " x");
    CHECK_STR(clean("<tei:hi rend='x'>y</tei:hi> <lb/> <foo a=\"1\"> <bar>z</bar>"), " y       z ");
    CHECK_STR(clean("x<?xml version=\"1.0\"?>y<!DOCTYPE html>z<!-- no\nmore -->w"), "x y z w");
    CHECK_STR(clean("a<![CDATA[b < c]]>d"), "a b < c]]>d");
}

TEST(scripts_and_styles_go_with_their_content)
{
    CHECK_STR(clean("a<script type='x'>if (a < b) { alert('<b>'); }</SCRIPT>b"), "a b");
    CHECK_STR(clean("a<style>p { color: red }</style >b"), "a b");
    CHECK_STR(clean("a<script>is not closed<b>x</b>"), "a is not closedx");
    CHECK_STR(clean("a<!-- is not closed <i>x</i>"), "a<!-- is not closed x");
}

TEST(entities_become_characters)
{
    CHECK_STR(clean("caf&eacute; na&#239;ve M&#xFC;ller&nbsp;&amp; &lt;3 &#147;q&#148;"),
              "caf\xc3\xa9 na\xc3\xafve M\xc3\xbcller\xc2\xa0& <3 \xe2\x80\x9cq\xe2\x80\x9d");
    CHECK_EQ(counts.entities, 8);
    CHECK_STR(clean("&amp;nbsp;x&amp;amp;eacute;"), "\xc2\xa0x\xc3\xa9");
    CHECK_STR(clean("AT&amp;T &amp;co"), "AT&T &co");
    CHECK_STR(clean("&#0;&#xD800;&#99999999;"), "   ");
    CHECK_STR(clean("&Lstrok;&oacute;d&zacute;"), "\xc5\x81\xc3\xb3\x64\xc5\xba");
}

TEST(escaped_tags_go)
{
    CHECK_STR(clean("one&lt;br /&gt;two&lt;br/&gt;&lt;/p&gt;x&lt;b&gt;y&lt;/b&gt;"), "one two  xy");
    CHECK_EQ(counts.tags, 5);
    CHECK_STR(clean("&lt;a href=&quot;http://x.org&quot;&gt;link&lt;/a&gt;"), "link");
    CHECK_STR(clean("a &lt; b &gt; c, &lt;grin&gt;"), "a < b > c, <grin>");
}

TEST(urls_go)
{
    CHECK_STR(clean("see http://www.example.org/a_(b)?c=d&amp;e=f#g, please"), "see   please");
    CHECK_EQ(counts.urls, 1);
    CHECK_EQ(counts.entities, 0);
    CHECK_STR(clean("(https://x.org) and FTP://x.org/pub and www.x.org/index.html end"),
              "( ) and   and   end");
    CHECK_STR(clean("\xe8\xa7\x81http://x.cn/abc\xe4\xb8\xad\xe6\x96\x87"),
              "\xe8\xa7\x81 \xe4\xb8\xad\xe6\x96\x87");
    CHECK_STR(clean("https://de.wikipedia.org/wiki/K\xc3\xb6ln liegt"), "  liegt");
    CHECK_STR(clean("www.imdb.com&nbsp;now"), " \xc2\xa0now");
    CHECK_STR(clean("<http://x.org/y>"), "< >");
    stays("so:// and x:// and http:// alone");
}

TEST(addresses_go)
{
    CHECK_STR(clean("From: joe.doe+x@mail.example.co.uk (Joe Doe)"), "From:   (Joe Doe)");
    CHECK_EQ(counts.addresses, 1);
    CHECK_STR(clean("<a-b@x.edu>, uunet!host!me@y.com. mailto:z@z.org"), "< >,  .  ");
    CHECK_EQ(counts.addresses, 3);
}

static const char uu[] = "begin 644 cat.txt\n"
                         "M5&AE('%U:6-K(&)R;W=N(&9O>\"!J=6UP<R!O=F5R('1H92!L87IY(&1O9RX@\n"
                         "M5&AE('%U:6-K(&)R;W=N(&9O>\"!J=6UP<R!O=F5R('1H92!L87IY(&1O9RX@\n"
                         "M````````````````````````````````````````````````````````````\n"
                         "#0V%T\n"
                         "`\n"
                         "end\n";

TEST(uuencode_goes)
{
    char text[1024];
    snprintf(text, sizeof text, "before it\n%safter it", uu);
    CHECK_STR(clean(text), "before it\n \nafter it");
    CHECK_EQ(counts.lines, 7);
    /* Without its first line and with spaces for newlines, as in a table. */
    snprintf(text, sizeof text, "before it %.*s and after", 61 * 2 + 1, uu + 18);
    for (char *c = text; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    CHECK_STR(clean(text), "before it   and after");
    CHECK_EQ(counts.lines, 2);
    /* A single line that looks like one stays: it may be anything. */
    snprintf(text, sizeof text, "before it\n%.*s\nand after", 61, uu + 18);
    stays(text);
}

TEST(base64_and_hexadecimal_numbers_go)
{
    static const char row[] =
        "VGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZSBsYXp5IGRvZy4gMTIzNDU2Nzg5MCBhYmNk";
    char text[1024];
    snprintf(text, sizeof text, "before\n%s\n%s\nZWZnaA==\nafter", row, row);
    CHECK_STR(clean(text), "before\n \nafter");
    CHECK_EQ(counts.lines, 3);
    snprintf(text, sizeof text, "before %s then words", row);
    CHECK_STR(clean(text), "before   then words");
    CHECK_STR(clean("sum d41d8cd98f00b204e9800998ecf8427e of it"), "sum   of it");
    CHECK_EQ(counts.lines, 1);
}

TEST(keys_and_signatures_go)
{
    CHECK_STR(clean("-----BEGIN PGP SIGNED MESSAGE-----\nHello there\n"
                    "-----BEGIN PGP SIGNATURE-----\nVersion: 2.2\n\niQCVAgUBK7\n=abcd\n"
                    "-----END PGP SIGNATURE-----\nbye"),
              " \nHello there\n \nbye");
    CHECK_EQ(counts.lines, 7);
    stays("----- BEGIN quote -----\nwords\n-----END of it");
}

TEST(every_place_in_a_text_is_seen)
{
    char text[256];
    static const struct {
        const char *what;
        size_t left;
    } cases[] = {{"<br>", 1}, {"www.example.org", 1}, {"d41d8cd98f00b204e9800998ecf8427e", 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int before = 0; before < 70; before++)
            for (int after = 0; after < 40; after += 13) {
                memset(text, 0, sizeof text);
                for (int i = 0; i < before; i++)
                    text[i] = i % 5 == 4 ? ' ' : 'x';
                if (before)
                    text[before - 1] = ' ';
                strcat(text, cases[c].what);
                size_t end = strlen(text);
                for (int i = 0; i < after; i++)
                    text[end + (size_t)i] = i % 5 == 0 ? ' ' : 'y';
                size_t n = strlen(clean(text));
                if (n != (size_t)(before + after + 1))
                    CHECK_FAIL("%s after %d before %d", cases[c].what, before, after);
            }
}

TEST_MAIN()
