"""Stop words of many languages: found by document, made by the corpus, and named by the user."""
import re

import pytest

ENGLISH = ["the ships of the navy were in the harbour and they did not leave it until the storm was over",
           "it is said that he would die in the war, but she did not believe what they had told her about it",
           "we don't know if they'll come, and we can't say that it's the end of the story of the harbour"]
FRENCH = ["le navire est dans le port et son capitaine ne sait pas si la tempête sera sur la côte ce soir",
          "c'est la guerre qu'il a vue, et l'homme n'est pas sûr que ce soit la fin de son histoire avec elle"]
RUSSIAN = ["во время бури корабль не мог войти в порт, но он был уже не так далеко от него, как они думали",
           "они не знали, что во всём городе не было ни одного человека, который бы им сказал об этом"]


def words_of(ezlda, tmp_path, lines, *options):
    """Notes of an import, and the words of the corpus."""
    (tmp_path / "t.txt").write_text("\n".join(lines) + "\n")
    result = ezlda("import", tmp_path / "t.txt", "--format", "text", "-o", tmp_path / "t.ezc", *options)
    assert result.status == 0, result
    assert ezlda("train", tmp_path / "t.ezc", "-k", 2, "-i", 1, "-q", "-o", tmp_path / "t.ezm").status == 0
    listed = ezlda("topics", tmp_path / "t.ezm", "-n", 1000, "--tsv").stdout
    return result.stderr, set(re.findall(r"[^\W\d_]+", listed))


def test_each_document_loses_the_stop_words_of_its_language(ezlda, tmp_path):
    notes, words = words_of(ezlda, tmp_path, ENGLISH + FRENCH)
    assert "stop words: english (60 % of the documents), french (40 %)\n" in notes
    assert {"ships", "navire", "harbour", "die", "war", "guerre"} <= words
    assert not words & {"the", "of", "they", "de", "la", "et", "les", "son", "sur"}


@pytest.mark.parametrize("lines, absent", [(FRENCH, {"son", "qu", "est", "ce"}), (RUSSIAN, {"во", "не", "они", "от"}),
                                           (ENGLISH, {"don", "ll", "can", "did", "it"})])
def test_no_stop_word_and_no_fragment_stays(ezlda, tmp_path, lines, absent):
    _, words = words_of(ezlda, tmp_path, lines)
    assert words and not words & absent


def test_new_text_is_read_by_the_languages_of_the_model(ezlda, tmp_path):
    words_of(ezlda, tmp_path, ENGLISH + FRENCH)
    (tmp_path / "new.txt").write_text(FRENCH[0] + "\n" + ENGLISH[1] + "\n")
    result = ezlda("infer", tmp_path / "t.ezm", tmp_path / "new.txt", "--format", "text", "-o", tmp_path / "d.tsv")
    assert result.status == 0, result
    assert "stop words removed by language of the document (en fr)" in result.stderr
    assert "not in the model: 0 words" in result.stdout


def test_an_unknown_language(ezlda, tmp_path):
    (tmp_path / "t.txt").write_text("one two\n")
    result = ezlda("import", tmp_path / "t.txt", "--stopwords", "klingon", "-o", tmp_path / "t.ezc")
    assert result.status == 2 and not (tmp_path / "t.ezc").exists()
    assert result.stderr.endswith("stop words: \"klingon\" is neither a language with a list nor a file "
                                  "('ezlda help languages' shows the languages)\n")


def test_languages_are_listed_and_accepted(ezlda, tmp_path):
    listed = re.findall(r"^  .*", ezlda("help", "languages").stdout, re.M)
    pairs = re.findall(r"(\w+) +(\w+)", "\n".join(listed))
    assert len(pairs) >= 40 and ("fr", "french") in pairs
    (tmp_path / "t.txt").write_text("one two\n")
    names = ",".join(code + "," + name for code, name in pairs)
    result = ezlda("import", tmp_path / "t.txt", "--format", "text", "--stopwords", names, "-o", tmp_path / "t.ezc")
    assert "no words are left" in result.stderr


def test_a_corpus_makes_its_own_list(ezlda, tmp_path):
    lines = [f"qqa zap{chr(97 + i % 26)} qqo brel{chr(97 + i % 7)} qqa vil{chr(97 + i % 11)}" for i in range(40)]
    notes, words = words_of(ezlda, tmp_path, lines)
    assert re.search(r"stop words: removed 2 words .*\(--stopwords none keeps them\): qqa qqo\n", notes)
    assert "brela" in words and not words & {"qqa", "qqo"}
    notes, words = words_of(ezlda, tmp_path, lines, "--stopwords", "none")
    assert "stop words" not in notes and "qqa" in words


def test_bags_of_words_have_a_list_of_their_own_too(ezlda, tmp_path):
    rows = [f"{d} 1 2\n{d} {d % 10 + 2} 1\n" for d in range(1, 41)]
    (tmp_path / "bag.txt").write_text("40\n11\n80\n" + "".join(rows))
    (tmp_path / "bag.vocab").write_text("even\na\nb\nc\nd\ne\nf\ng\nh\ni\nj\n")
    result = ezlda("import", tmp_path / "bag.txt", "--format", "uci", "--stopwords", "corpus", "-o", tmp_path / "b.ezc")
    assert result.status == 0 and re.search(r"40 documents, 10 words", result.stdout), result
