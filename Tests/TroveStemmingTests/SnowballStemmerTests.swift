// The stemmers of the installed library.

import Testing
import TroveTestSupport

@testable import TroveStemming
@testable import TroveText

extension TextAnalyzer {
    /// The terms of a text.
    func terms(_ text: String) -> [String] { tokens(of: text).map(\.term) }
}

@Suite struct SnowballStemmerTests {
    /// Words that have the same term, by language.
    private static let forms: [(String, TextAnalyzer, [String])] = [
        ("arabic", .arabic, ["الكتاب", "كتاب", "كِتَاب"]),
        ("armenian", .armenian, ["մարդիկ", "ՄԱՐԴԻԿ"]),
        ("basque", .basque, ["etxeak", "etxeetan"]),
        ("catalan", .catalan, ["cançó", "canco"]),
        ("danish", .danish, ["hus", "huset", "husene", "HUSENES"]),
        ("dutch", .dutch, ["vriendelijk", "vriendelijke"]),
        ("english", .english, ["store", "stores", "stored", "storing", "STORES"]),
        ("finnish", .finnish, ["talo", "talot", "talon", "talossa"]),
        ("french", .french, ["école", "écoles", "Ecoles", "E\u{301}COLE"]),
        ("german", .german, ["Haus", "Hauses", "Häuser", "häusern", "HÄUSER"]),
        ("greek", .greek, ["άνθρωπος", "άνθρωποι", "ΑΝΘΡΩΠΟΣ"]),
        ("hindi", .hindi, ["किताब", "किताबें", "किताबों"]),
        ("hungarian", .hungarian, ["könyv", "könyvek", "könyvet"]),
        ("indonesian", .indonesian, ["makan", "makanan", "dimakan"]),
        ("irish", .irish, ["cathair", "gcathair"]),
        ("italian", .italian, ["bambino", "bambini", "bambine"]),
        ("lithuanian", .lithuanian, ["namas", "namai", "namų"]),
        ("nepali", .nepali, ["घर", "घरहरू", "घरमा"]),
        ("norwegian", .norwegian, ["hus", "huset", "husene"]),
        ("portuguese", .portuguese, ["cantando", "cantaram", "cantaria"]),
        ("romanian", .romanian, ["naţional", "naționali", "nationali"]),
        ("russian", .russian, ["книга", "книги", "книгах", "КНИГАМИ"]),
        ("serbian", .serbian, ["knjigama", "књигама", "knjige"]),
        ("spanish", .spanish, ["canción", "canciones", "cancion"]),
        ("swedish", .swedish, ["hus", "husen", "husens"]),
        ("tamil", .tamil, ["மனிதர்கள்", "மனிதர்களை"]),
        ("turkish", .turkish, ["kitap", "kitaplar", "kitaplarımız"]),
        ("yiddish", .yiddish, ["מענטשן", "מענטש"]),
    ]

    @Test func formsOfAWord_haveOneTerm() {
        for (language, analyzer, words) in Self.forms {
            let terms = words.map { analyzer.terms($0) }
            #expect(Set(terms).count == 1 && terms[0].count == 1, "\(language): \(words) are \(terms)")
            #expect(analyzer.description == "standard/1+snowball-\(language)")
        }
        #expect(Self.forms.map(\.0) == SnowballStemmer.languages.filter { $0 != "porter" })
    }

    /// Words that the algorithm must not make equal, and words for which it needs marks.
    @Test func stems_needTheMarksOfTheLanguage() {
        // Without marks, the endings are not those of the language: "aimees" is stemmed to "aime".
        #expect(TextAnalyzer.french.terms("aimées aimer aimés") == ["aim", "aim", "aim"])
        #expect(TextAnalyzer.russian.terms("новый новая") == ["нов", "нов"])
        #expect(TextAnalyzer.german.terms("für schöne Straßen") == ["fur", "schon", "strass"])
        #expect(
            TextAnalyzer.standard.keepingMarks().stemmed(by: SnowballStemmer(orUnchanged: "swedish")).terms("böckerna")
                == ["böck"])
        #expect(TextAnalyzer.swedish.terms("böckerna") == ["bock"])
        #expect(TextAnalyzer.english.terms("news new university universe") == ["news", "new", "univers", "univers"])
        #expect(TextAnalyzer.english.terms("東京 h2o 1980s ❤️ 👩🏽‍💻").first == "東京")
    }

    @Test func languages_areThoseOfTheLibrary() throws {
        #expect(SnowballStemmer.languages.count >= 29 && SnowballStemmer.languages.contains("porter"))
        for language in SnowballStemmer.languages {
            let stemmer = try #require(SnowballStemmer(language))
            #expect(stemmer.name == "snowball-\(language)" && stemmer.language == language)
            #expect(stemmer.probe.split(separator: " ").count >= 14, "\(language)")
        }
        for name in ["", "en", "English", "klingon", "english\0"] { #expect(SnowballStemmer(name) == nil, "\(name)") }
    }

    /// A library without a language: words stay.
    @Test func anUnknownLanguage_leavesWords() {
        let analyzer = TextAnalyzer.standard.stemmed(by: SnowballStemmer(orUnchanged: "klingon"))
        #expect(analyzer.terms("Stores étés") == ["stores", "etes"])
        #expect(analyzer.description == "standard/1+snowball-klingon")
    }

    @Test func wordsOfAnyBytesAndSizes_haveStems() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        var words = ["", "\0", "a\0s", "s", "\u{10FFFF}", "👩🏽‍💻", "e\u{301}", String(repeating: "ing", count: 80)]
        for _ in 0..<300 {
            let count = Int.random(in: 0...40, using: &random)
            let scalars = (0..<count).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x2_FFFF, using: &random))
            }
            words.append(String(String.UnicodeScalarView(scalars)))
            let letters = (0..<count).map { _ in "aeiouyäéstnrlmgdhकाрѝıת".randomElement(using: &random) ?? "s" }
            words.append(String(letters))
        }
        for language in SnowballStemmer.languages {
            let stemmer = try #require(SnowballStemmer(language))
            for word in words {
                let stem = stemmer.stem(word)
                #expect(
                    stem == stemmer.stem(word) && stem.utf8.count <= 2 * word.utf8.count + 8, "TROVE_TEST_SEED=\(seed)")
            }
            for size in [257, 1_000_000] {
                let long = String(repeating: "s", count: size)
                #expect(stemmer.stem(long) == long)
            }
        }
    }

    @Test func threads_shareAStemmer() async throws {
        let stemmer = try #require(SnowballStemmer("english"))
        let words = stemmer.probe.split(separator: " ").map(String.init)
        let expected = words.map(stemmer.stem)
        let same = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { (0..<200).allSatisfy { _ in words.map(stemmer.stem) == expected } } }
            return await group.reduce(true) { $0 && $1 }
        }
        #expect(same)
    }

    /// Terms never have upper case or marks: the stems are folded after the algorithms, some of which mark vowels.
    @Test func terms_areFolded() {
        for language in SnowballStemmer.languages {
            let analyzer = TextAnalyzer.standard.stemmed(by: SnowballStemmer(orUnchanged: language))
            for probe in [TextAnalyzer.probe, SnowballStemmer(orUnchanged: language).probe] {
                for term in analyzer.terms(probe) {
                    let plain = TextAnalyzer.whole.terms(term)
                    #expect(plain == [term], "\(language)")
                }
            }
        }
    }

    /// Stop words of a language are found before its stemmer.
    @Test func stopWords_areLeftOut() {
        let analyzer = TextAnalyzer.english.without(.english)
        let tokens = analyzer.tokens(of: "the stores are in the cities")
        #expect(tokens.map(\.term) == ["store", "citi"] && tokens.map(\.position) == [1, 5])
        for language in SnowballStemmer.languages where language != "porter" {
            let list = StopWords.builtIn(language)
            #expect(list.count == 1, "\(language)")
            guard let list = list.first else { continue }
            let analyzer = TextAnalyzer.standard.stemmed(by: SnowballStemmer(orUnchanged: language)).without(list)
            #expect(analyzer.terms(list.words.joined(separator: " ")) == [], "\(language)")
        }
    }
}
