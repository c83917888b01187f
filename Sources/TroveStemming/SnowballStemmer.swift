// Stemmers of the system's libstemmer: the algorithms of the Snowball project.

import TroveText

/// A stemmer of a language, by an algorithm of the Snowball project: *stores*, *stored* and *storing* become *store*.
///
/// ```swift
/// SnowballStemmer("english")?.stem("generously")  // generous
/// ```
///
/// The static members of `TextAnalyzer`, such as `.english`, use it. The algorithms are those of the installed
/// libstemmer, <https://snowballstem.org>. Another version of the library may have other algorithms; then an index is
/// made again.
public struct SnowballStemmer: TextStemmer {
    /// The languages of the installed library, such as `english`, sorted. `porter` is the first algorithm for English
    /// (M. F. Porter, An algorithm for suffix stripping, 1980), which SQLite's FTS5 has too.
    public static let languages = StemmerLibrary.languages()

    /// The language.
    public let language: String
    private let pool: StemmerPool

    /// Creates the stemmer of a language; nil if the library does not have the language.
    ///
    /// - Parameter language: An element of ``languages``.
    public init?(_ language: String) {
        guard Self.languages.contains(language) else { return nil }
        self.init(orUnchanged: language)
    }

    /// Creates the stemmer of a language. If the library does not have it, words stay as they are.
    init(orUnchanged language: String) {
        self.language = language
        pool = StemmerPool(language)
    }

    /// The name in the definition of an index, such as `snowball-english`.
    public var name: String { "snowball-\(language)" }

    /// Words with the endings of the language; of a language that is newer than Trove, words of many languages.
    public var probe: String { StemmerProbe.words(of: language) }

    /// Returns the stem of a word in lower case.
    ///
    /// A word of more than 256 bytes stays as it is: no language has such words.
    ///
    /// - Complexity: O(n) in the length of the word; about 0.3 µs for an English word.
    public func stem(_ word: String) -> String {
        guard !word.isEmpty, word.utf8.count <= Self.longestWord else { return word }
        return pool.stem(language == "romanian" ? Self.withCedillas(word) : word)
    }

    private static let longestWord = 256

    /// Returns a Romanian word in the spelling that the library knows in all versions: ş and ţ with cedillas, as of the
    /// time before Unicode had commas below.
    private static func withCedillas(_ word: String) -> String {
        guard word.unicodeScalars.contains(where: { $0 == "\u{219}" || $0 == "\u{21B}" }) else { return word }
        var result = String.UnicodeScalarView()
        for scalar in word.unicodeScalars {
            switch scalar {
            case "\u{219}": result.append("\u{15F}")
            case "\u{21B}": result.append("\u{163}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}

/// The library calls nothing of an application.
extension SnowballStemmer: SelfContainedStemmer {}
