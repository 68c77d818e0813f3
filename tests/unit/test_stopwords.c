/* The lists of stop words, and the language that is guessed from them. */
#include "text_case.h"

#include "corpus/text/stopwords/stopwords.h"
#include "corpus/text/tokeniser/tokeniser.h"

static bool has(const ez_strings *set, const char *word)
{
    return ez_strings_find(set, word, strlen(word)) != EZ_NO_STRING;
}

TEST(every_list_is_made_of_words)
{
    ez_tokeniser tokeniser;
    ez_tokeniser_init(&tokeniser, true, true, true, 1);
    for (uint32_t i = 0; i < EZ_STOP_LANGUAGES; i++) {
        const ez_stop_list *list = ez_stop_language(i);
        const char *at = list->words, *end = at + strlen(at), *form;
        size_t n, count = 0, blanks = 0;
        while ((form = ez_next_word(&tokeniser, &at, end, &n)))
            count++;
        for (const char *p = list->words; *p; p++)
            blanks += *p == ' ';
        CHECK_EQ(count, blanks + 1); /* nothing the tokeniser would cut */
        CHECK(count >= 30);
    }
    CHECK(EZ_STOP_LANGUAGES >= 40);
    CHECK(!ez_stop_language(EZ_STOP_LANGUAGES));
}

TEST(lists_by_code_name_and_file)
{
    ez_strings set = {0};
    CHECK_OK(check_context(), ez_stopwords_add(&set, check_context(), "en,german"));
    CHECK(has(&set, "the"));
    CHECK(has(&set, "dass")); /* folded: the list has it with a sharp s too */
    CHECK(has(&set, "\xc3\xbc"
                    "ber"));
    CHECK(!has(&set, "cat"));
    ez_strings_free(&set);
    const char *path = write_text("stop.txt", "Cat\r\nisn't \xc3\x89t\xc3\xa9\n");
    CHECK_OK(check_context(), ez_stopwords_add(&set, check_context(), path));
    CHECK_EQ(set.n, 4);
    CHECK(has(&set, "cat") && has(&set, "isn") && has(&set, "t") && has(&set, "\xc3\xa9t\xc3\xa9"));
    ez_strings_free(&set);
}

TEST(what_is_neither_is_an_error)
{
    ez_strings set = {0};
    ezlda_context *context = check_context();
    CHECK_FAILS(context, ez_stopwords_add(&set, context, "en,xx"),
                "\"xx\" is neither a language with a list nor a file");
    ezlda_context *other;
    CHECK_EQ(ezlda_context_create(&other), EZLDA_OK);
    CHECK_FAILS(other, ez_stopwords_add(&set, other, "/no/such/file.txt"), "/no/such/file.txt");
    ezlda_context_free(other);
    CHECK_EQ(ezlda_context_create(&other), EZLDA_OK);
    CHECK_FAILS(other,
                ez_stopwords_add(&set, other,
                                 write_bytes("bad.txt",
                                             "good\nb\xff"
                                             "d\n",
                                             9)),
                "bad.txt:2");
    ezlda_context_free(other);
    ez_strings_free(&set);
}

static bool in_list_of(const char *language, const char *word)
{
    ez_strings set = {0};
    CHECK_OK(check_context(), ez_stopwords_add(&set, check_context(), language));
    bool found = has(&set, word);
    ez_strings_free(&set);
    return found;
}

TEST(every_name_means_one_language)
{
    ez_strings names = {0};
    for (uint32_t i = 0; i < EZ_STOP_LANGUAGES; i++) {
        const ez_stop_list *list = ez_stop_language(i);
        char text[256], *rest = text;
        CHECK_STR(ezlda_language_code(i), list->code);
        CHECK_STR(ezlda_language_name(i), list->name);
        snprintf(text, sizeof text, "%s %s %s", list->code, list->name, list->aliases);
        for (char *name; (name = strtok_r(rest, " ", &rest));) {
            uint32_t id;
            bool added;
            CHECK(ez_stop_named(name) == list);
            CHECK_OK(check_context(),
                     ez_strings_add(&names, check_context(), name, strlen(name), &id, &added));
            CHECK(added);
        }
    }
    CHECK(!ezlda_language_code(EZ_STOP_LANGUAGES) && !ezlda_language_name(EZ_STOP_LANGUAGES));
    CHECK(!ez_stop_named("") && !ez_stop_named("klingon"));
    ez_strings_free(&names);
}

TEST(lists_have_what_text_needs)
{
    static const char *const wanted[][2] = {
        {"fr", "son"},  {"ru", "во"},  {"fr", "qu"},   {"fr", "c"},    {"fr", "jusqu"},
        {"en", "don"},  {"en", "ll"},  {"en", "ve"},   {"en", "isn"},  {"it", "dell"},
        {"it", "nell"}, {"tr", "nin"}, {"de", "über"}, {"nb", "ikke"}, {"farsi", "که"},
        {"el", "και"},  {"hi", "में"},   {"he", "של"},   {"uk", "який"}, {"zh", "我们"}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!in_list_of(wanted[i][0], wanted[i][1]))
            CHECK_FAIL("%s: no %s", wanted[i][0], wanted[i][1]);
    static const char *const unwanted[][2] = {
        {"en", "new"},    {"en", "people"}, {"en", "state"},   {"de", "mensch"}, {"de", "zeit"},
        {"fr", "france"}, {"es", "estado"}, {"es", "trabajo"}, {"es", "usa"},    {"ru", "человек"},
        {"en", "die"},    {"en", "war"},    {"en", "sur"}};
    for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted; i++)
        if (in_list_of(unwanted[i][0], unwanted[i][1]))
            CHECK_FAIL("%s: %s is a content word", unwanted[i][0], unwanted[i][1]);
}

/* Running text: article 1 of the Universal Declaration of Human Rights and a plain sentence, in
 * each language. */
static const struct {
    const char *code, *text;
} samples[] = {
    {"en", "All human beings are born free and equal in dignity and rights. They are endowed with "
           "reason and conscience and "
           "should act towards one another in a spirit of brotherhood. It was not what we would "
           "have thought of it."},
    {"de", "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft "
           "und Gewissen begabt und "
           "sollen einander im Geist der Brüderlichkeit begegnen. Das ist nicht das, was wir von "
           "ihm erwartet haben."},
    {"nl", "Alle mensen worden vrij en gelijk in waardigheid en rechten geboren. Zij zijn "
           "begiftigd met verstand en geweten, "
           "en behoren zich jegens elkander in een geest van broederschap te gedragen. Het was "
           "niet wat we van hem wilden."},
    {"sv", "Alla människor är födda fria och lika i värde och rättigheter. De är utrustade med "
           "förnuft och samvete och bör "
           "handla gentemot varandra i en anda av broderskap. Det var inte vad vi hade trott att "
           "han skulle göra."},
    {"da", "Alle mennesker er født frie og lige i værdighed og rettigheder. De er udstyret med "
           "fornuft og "
           "samvittighed, og de "
           "bør handle mod hverandre i en broderskabets ånd. Det var ikke hvad vi havde troet, at "
           "han ville gøre af "
           "sig selv."},
    {"no", "Alle mennesker er født frie og med samme menneskeverd og menneskerettigheter. De er "
           "utstyrt med fornuft og "
           "samvittighet og bør handle mot hverandre i brorskapets ånd. Det var ikke noe vi hadde "
           "trodd at han ville "
           "gjøre nå."},
    {"fr", "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont "
           "doués de raison et de "
           "conscience "
           "et doivent agir les uns envers les autres dans un esprit de fraternité. Ce n'est pas "
           "ce que nous avions cru."},
    {"es", "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como "
           "están de razón y "
           "conciencia, "
           "deben comportarse fraternalmente los unos con los otros. No es lo que nosotros "
           "habíamos creído de él."},
    {"it", "Tutti gli esseri umani nascono liberi ed eguali in dignità e diritti. Essi sono dotati "
           "di ragione e di coscienza "
           "e "
           "devono agire gli uni verso gli altri in spirito di fratellanza. Non è quello che noi "
           "avevamo creduto di lui."},
    {"pt", "Todos os seres humanos nascem livres e iguais em dignidade e em direitos. Dotados de "
           "razão e de "
           "consciência, devem "
           "agir uns para com os outros em espírito de fraternidade. Não é o que nós tínhamos "
           "pensado dele até agora."},
    {"pl", "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni "
           "obdarzeni rozumem i "
           "sumieniem "
           "i powinni postępować wobec innych w duchu braterstwa. To nie jest to, co o nim "
           "myśleliśmy, ale tak było."},
    {"cs", "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni "
           "rozumem a svědomím a mají spolu "
           "jednat v duchu bratrství. To není to, co jsme si o něm mysleli, ale tak to bylo, když "
           "jsme tam byli."},
    {"ru", "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены "
           "разумом и совестью и должны "
           "поступать в отношении друг друга в духе братства. Это не то, что мы о нем думали, но "
           "так это и было."},
    {"fi", "Kaikki ihmiset syntyvät vapaina ja tasavertaisina arvoltaan ja oikeuksiltaan. Heille "
           "on annettu järki ja "
           "omatunto, "
           "ja heidän on toimittava toisiaan kohtaan veljeyden hengessä. Se ei ole mitä me olimme "
           "hänestä ajatelleet."},
};

TEST(language_is_guessed)
{
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const char *name = NULL;
        for (uint32_t k = 0; k < EZ_STOP_LANGUAGES; k++)
            if (strcmp(ez_stop_language(k)->code, samples[i].code) == 0)
                name = ez_stop_language(k)->name;
        ezlda_corpus *corpus;
        char expected[64];
        snprintf(expected, sizeof expected, "stop words: %s (", name);
        hear_notes();
        CHECK_OK(check_context(),
                 read_one(&corpus, write_text("sample.txt", samples[i].text), &options));
        if (!strstr(notes, expected))
            CHECK_FAIL("%s: notes are %s", samples[i].code, notes);
        ezlda_corpus_free(corpus);
    }
}

TEST(no_language_where_none_is_clear)
{
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    ezlda_corpus *corpus;
    hear_notes();
    const char *path = write_text(
        "x.txt", "gene protein cell binding kinase receptor membrane pathway signal enzyme the of "
                 "mutant yeast genome sequence transcription factor promoter domain folding\n");
    CHECK_OK(check_context(), read_one(&corpus, path, &options));
    CHECK(strstr(notes, "stop words: none") != NULL);
    CHECK_EQ(info_of(corpus).words, 21);
    ezlda_corpus_free(corpus);
}

TEST(no_language_of_a_few_words)
{
    ezlda_import_options options;
    ezlda_import_options_init(&options);
    ezlda_corpus *corpus;
    hear_notes();
    CHECK_OK(
        check_context(),
        read_one(&corpus, write_text("x.txt", "this is the cat and that was the dog\n"), &options));
    CHECK(
        strstr(notes,
               "stop words: none removed, 9 words are too few to guess the language (20 needed)") !=
        NULL);
    ezlda_corpus_free(corpus);
}

TEST(stop_words_leave_whatever_their_case)
{
    ezlda_import_options options = plain_options();
    ezlda_corpus *corpus;
    options.stopwords = "en";
    options.keep_case = 1;
    CHECK_OK(check_context(),
             read_one(&corpus, write_text("x.txt", "The cat AND the Cat\n"), &options));
    CHECK_STR(document(corpus, 0), "Cat:1 cat:1");
    ezlda_corpus_free(corpus);
}

TEST_MAIN()
