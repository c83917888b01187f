// The names of the analyzers of TroveStemming, so that a program without its import gets an error that names it.

/// The analyzers of the product `TroveStemming`. In a file that imports it, its own members of these names are meant.
@available(*, unavailable, message: "import TroveStemming, a product of the package of Trove")
extension TextAnalyzer {
    /// Words of Arabic texts, by their stems.
    public static var arabic: TextAnalyzer { standard }

    /// Words of Armenian texts, by their stems.
    public static var armenian: TextAnalyzer { standard }

    /// Words of Basque texts, by their stems.
    public static var basque: TextAnalyzer { standard }

    /// Words of Catalan texts, by their stems.
    public static var catalan: TextAnalyzer { standard }

    /// Words of Danish texts, by their stems.
    public static var danish: TextAnalyzer { standard }

    /// Words of Dutch texts, by their stems.
    public static var dutch: TextAnalyzer { standard }

    /// Words of English texts, by their stems.
    public static var english: TextAnalyzer { standard }

    /// Words of Finnish texts, by their stems.
    public static var finnish: TextAnalyzer { standard }

    /// Words of French texts, by their stems.
    public static var french: TextAnalyzer { standard }

    /// Words of German texts, by their stems.
    public static var german: TextAnalyzer { standard }

    /// Words of Greek texts, by their stems.
    public static var greek: TextAnalyzer { standard }

    /// Words of Hindi texts, by their stems.
    public static var hindi: TextAnalyzer { standard }

    /// Words of Hungarian texts, by their stems.
    public static var hungarian: TextAnalyzer { standard }

    /// Words of Indonesian texts, by their stems.
    public static var indonesian: TextAnalyzer { standard }

    /// Words of Irish texts, by their stems.
    public static var irish: TextAnalyzer { standard }

    /// Words of Italian texts, by their stems.
    public static var italian: TextAnalyzer { standard }

    /// Words of Lithuanian texts, by their stems.
    public static var lithuanian: TextAnalyzer { standard }

    /// Words of Nepali texts, by their stems.
    public static var nepali: TextAnalyzer { standard }

    /// Words of Norwegian texts, by their stems.
    public static var norwegian: TextAnalyzer { standard }

    /// Words of Portuguese texts, by their stems.
    public static var portuguese: TextAnalyzer { standard }

    /// Words of Romanian texts, by their stems.
    public static var romanian: TextAnalyzer { standard }

    /// Words of Russian texts, by their stems.
    public static var russian: TextAnalyzer { standard }

    /// Words of Serbian texts, by their stems.
    public static var serbian: TextAnalyzer { standard }

    /// Words of Spanish texts, by their stems.
    public static var spanish: TextAnalyzer { standard }

    /// Words of Swedish texts, by their stems.
    public static var swedish: TextAnalyzer { standard }

    /// Words of Tamil texts, by their stems.
    public static var tamil: TextAnalyzer { standard }

    /// Words of Turkish texts, by their stems.
    public static var turkish: TextAnalyzer { standard }

    /// Words of Yiddish texts, by their stems.
    public static var yiddish: TextAnalyzer { standard }
}
