// The words of `standard`, script by script, and at the edges.

import Testing

@testable import TroveText

@Suite struct WordTests {
    private static let words: [(String, [String])] = [
        // Latin
        ("The quick Brown fox", ["the", "quick", "brown", "fox"]),
        ("Zwölf Straßen, GROẞE Öfen", ["zwolf", "strassen", "grosse", "ofen"]),
        ("L’été, l'avion", ["l", "ete", "l", "avion"]),
        ("bữa tối", ["bua", "toi"]),
        ("œuvre Łódź smørrebrød", ["œuvre", "łodz", "smørrebrød"]),
        // Greek
        ("Ὁ Ὀδυσσεὺς ΣΟΦΟΣ τῷ λόγῳ", ["ο", "οδυσσευσ", "σοφοσ", "τω", "λογω"]),
        // Cyrillic
        ("Ёлка и йод, Київ", ["елка", "и", "иод", "киів"]),
        // Hebrew
        ("בְּרֵאשִׁית בָּרָא", ["בראשית", "ברא"]),
        ("צה״ל צה\"ל ג׳ירפה", ["צה", "ל", "צה", "ל", "ג", "ירפה"]),
        // Arabic
        ("الكِتَابُ كـــتاب أحمد ٣", ["الكتاب", "كتاب", "احمد", "3"]),
        ("می‌خواهم ۱۲۳", ["میخواهم", "123"]),
        // Devanagari, Bengali, Tamil
        ("हिन्दी में ज़िंदगी १२३।", ["हिन्दी", "में", "ज\u{93C}िंदगी", "123"]),
        ("বাংলা ভাষা", ["বাংলা", "ভাষা"]),
        ("தமிழ் மொழி", ["தமிழ்", "மொழி"]),
        // Thai, Lao, Khmer, Burmese
        ("ภาษาไทย", ["ภา", "าษ", "ษา", "าไ", "ไท", "ทย", "ย"]),
        ("น้ำ", ["น\u{E49}\u{E4D}า", "า"]),
        ("ລາວ", ["ລາ", "າວ", "ວ"]),
        ("ខ្មែរ", ["ខ្ម\u{17C2}", "ម\u{17C2}រ", "រ"]),
        ("မြန်မာ", ["မြန်", "န်မာ", "မာ"]),
        // Han, Hiragana, Katakana
        ("東京都", ["東京", "京都", "都"]),
        ("東", ["東"]),
        ("人々が生きる", ["人々", "々が", "が生", "生き", "きる", "る"]),
        ("コンピューター ｶﾞｲﾄﾞ", ["コンピューター", "ガイド"]),
        ("か\u{3099}く", ["がく", "く"]),
        ("Swift入門2版", ["swift", "入門", "門", "2", "版"]),
        // Hangul
        ("한국어 검색", ["한국어", "검색"]),
        ("\u{1112}\u{1161}\u{11AB}국", ["한국"]),
        // Armenian, Georgian, Ethiopic
        ("Հայերեն և", ["հայերեն", "եւ"]),
        ("ქართული ᲥᲐᲠᲗᲣᲚᲘ", ["ქართული", "ქართული"]),
        ("ሰላም፡ለዓለም", ["ሰላም", "ለዓለም"]),
    ]

    @Test(arguments: words)
    func words_ofScripts(_ text: String, _ expected: [String]) {
        #expect(TextAnalyzer.standard.terms(text) == expected)
    }

    private static let edges: [(String, [String])] = [
        ("", []), (" \n\t…!?—", []), ("\0\u{1}a\u{7F}b\u{E000}c\u{FFFD}d\u{FFFE}", ["a", "b", "c", "d"]),
        ("well-known can't don’t o'clock", ["well", "known", "can", "t", "don", "t", "o", "clock"]),
        ("mail@example.com https://a.b/c_d", ["mail", "example", "com", "https", "a", "b", "c", "d"]),
        ("1.2.3 1,000 007 3:14 h2o x²", ["1", "2", "3", "1", "000", "007", "3", "14", "h2o", "x2"]),
        ("½ ⅷ ① ㎏ ﷺ", ["1", "2", "viii", "1", "kg", "صلى", "الله", "عليه", "وسلم"]),
        ("٣ ३ ๓ ３ 𝟛", ["3", "3", "3", "3", "3"]),
        ("İstanbul ISTANBUL ısı", ["istanbul", "istanbul", "ısı"]),
        ("ﬁnd ＡＢＣ ÅNGSTRÖM ǅ 𝔘𝔫𝔦", ["find", "abc", "angstrom", "dz", "uni"]),
        ("soft\u{AD}hyphen \u{200F}mark\u{200F} a\u{2066}b\u{2069}", ["softhyphen", "mark", "ab"]),
        ("zero\u{200B}width", ["zero", "width"]),
        ("a\u{301}\u{323}b \u{301} \u{301}c", ["ab", "c"]),
        ("\u{640}\u{640} \u{640}\u{64E}", []),
        ("፳፻፲፭", ["፳", "፻", "፲", "፭"]),
        ("\u{378}\u{379}a", ["\u{378}", "\u{379}", "a"]),
        ("© 2020 Apple® → € C++ №5", ["2020", "apple", "c", "no5"]),
        ("㍿", ["株式", "式会", "会社", "社"]),
    ]

    @Test(arguments: edges)
    func words_atTheEdges(_ text: String, _ expected: [String]) {
        #expect(TextAnalyzer.standard.terms(text) == expected)
    }

    private static let emoji: [(String, [String])] = [
        ("❤️❤", ["❤", "❤"]),
        ("👍🏽👍", ["👍", "👍"]),
        ("👩🏽‍💻👩‍💻", ["👩‍💻", "👩‍💻"]),
        ("family👨‍👩‍👧‍👦here", ["family", "👨‍👩‍👧‍👦", "here"]),
        ("🇸🇪🇩🇪🇸", ["🇸🇪", "🇩🇪", "🇸"]),
        ("🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴", ["🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴"]),
        ("1️⃣#️⃣*⃣ # *", ["1", "#\u{20E3}", "*\u{20E3}"]),
        ("🏽 \u{FE0F} \u{200D}", []),
    ]

    @Test(arguments: emoji)
    func emoji_areWords(_ text: String, _ expected: [String]) {
        #expect(TextAnalyzer.standard.terms(text) == expected)
    }

    @Test func ranges_areThoseOfTheText() {
        func ranges(_ text: String) -> [String] {
            TextAnalyzer.standard.tokens(of: text).map { String(text[$0.range]) }
        }
        #expect(ranges("  Straße, e\u{301}te\u{301}! ❤️") == ["Straße", "e\u{301}te\u{301}", "❤️"])
        #expect(ranges("東京都") == ["東京", "京都", "都"])
        #expect(ranges("か\u{3099}く") == ["か\u{3099}く", "く"])
        #expect(ranges("a½b") == ["a½", "½b"])
        #expect(ranges("x #️⃣ 👍🏽") == ["x", "#️⃣", "👍🏽"])
        #expect(ranges("كـــتاب") == ["كـــتاب"])
    }

    @Test func positions_countWords() {
        let tokens = TextAnalyzer.standard.tokens(of: "Ordered stores: 東京, done")
        #expect(tokens.map(\.position) == [0, 1, 2, 3, 4])
    }

    @Test func lastSigns_areMarked() {
        func marked(_ text: String) -> [Bool] {
            TextAnalyzer.standard.visited(Array(text.utf8)).map(\.place.isLastSign)
        }
        #expect(marked("東京都 a 東") == [false, false, true, false, true])
    }
}
