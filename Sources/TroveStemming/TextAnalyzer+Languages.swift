// The analyzers of the languages.

@_exported import TroveText

/// Analyzers with stemmers: `.standard` with the stemmer of a language. They keep stop words.
///
/// ```swift
/// #FullTextIndex<Article>(\.body, analyzer: .english)
/// #FullTextIndex<Article>(\.body, analyzer: .german.without(.german), where: { $0.language == .german })
/// ```
///
/// A library that does not have the algorithm of a language leaves its words as they are.
extension TextAnalyzer {
    /// Words of Arabic texts, by their stems.
    public static let arabic = stemmed("arabic")

    /// Words of Armenian texts, by their stems.
    public static let armenian = stemmed("armenian")

    /// Words of Basque texts, by their stems.
    public static let basque = stemmed("basque")

    /// Words of Catalan texts, by their stems.
    public static let catalan = stemmed("catalan")

    /// Words of Danish texts, by their stems.
    public static let danish = stemmed("danish")

    /// Words of Dutch texts, by their stems.
    public static let dutch = stemmed("dutch")

    /// Words of English texts, by their stems.
    public static let english = stemmed("english")

    /// Words of Finnish texts, by their stems.
    public static let finnish = stemmed("finnish")

    /// Words of French texts, by their stems.
    public static let french = stemmed("french")

    /// Words of German texts, by their stems.
    public static let german = stemmed("german")

    /// Words of Greek texts, by their stems.
    public static let greek = stemmed("greek")

    /// Words of Hindi texts, by their stems.
    public static let hindi = stemmed("hindi")

    /// Words of Hungarian texts, by their stems.
    public static let hungarian = stemmed("hungarian")

    /// Words of Indonesian texts, by their stems.
    public static let indonesian = stemmed("indonesian")

    /// Words of Irish texts, by their stems.
    public static let irish = stemmed("irish")

    /// Words of Italian texts, by their stems.
    public static let italian = stemmed("italian")

    /// Words of Lithuanian texts, by their stems.
    public static let lithuanian = stemmed("lithuanian")

    /// Words of Nepali texts, by their stems.
    public static let nepali = stemmed("nepali")

    /// Words of Norwegian texts, by their stems.
    public static let norwegian = stemmed("norwegian")

    /// Words of Portuguese texts, by their stems.
    public static let portuguese = stemmed("portuguese")

    /// Words of Romanian texts, by their stems.
    public static let romanian = stemmed("romanian")

    /// Words of Russian texts, by their stems.
    public static let russian = stemmed("russian")

    /// Words of Serbian texts, by their stems.
    public static let serbian = stemmed("serbian")

    /// Words of Spanish texts, by their stems.
    public static let spanish = stemmed("spanish")

    /// Words of Swedish texts, by their stems.
    public static let swedish = stemmed("swedish")

    /// Words of Tamil texts, by their stems.
    public static let tamil = stemmed("tamil")

    /// Words of Turkish texts, by their stems.
    public static let turkish = stemmed("turkish")

    /// Words of Yiddish texts, by their stems.
    public static let yiddish = stemmed("yiddish")

    /// The analyzers of the languages, each with and without the language's stop words: those of indexes whose types
    /// the program does not have.
    package static var languages: [TextAnalyzer] {
        SnowballStemmer.languages.flatMap { language in
            let analyzer = stemmed(language)
            return [analyzer] + StopWords.builtIn(language).map { analyzer.without($0) }
        }
    }

    private static func stemmed(_ language: String) -> TextAnalyzer {
        standard.stemmed(by: SnowballStemmer(orUnchanged: language))
    }
}
