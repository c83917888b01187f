// The score of a record for a query: BM25.
//
//     score(q, d) = Σ boost(t) · idf(t) · (k1 + 1) / (1 + k1 · (1 − b + b · length(d) / average) / x)
//     x           = Σ weight(f) · frequency(t, d, f)         over the fields of t
//     idf(t)      = ln(1 + (N − n + 0.5) / (n + 0.5))        n: the records with t in one of these fields
//
// The length is the number of words in all fields. All of it is computed in Double, as written. Each step is monotone,
// also when it is rounded: a greater x or a smaller length never has a smaller score. So a bound of the scores of some
// records is the score of their greatest x and their least length, and equals the score of a record that has both. The
// usual form of the fraction, x · (k1 + 1) / (x + …), is rounded without this order.
//
// Source: S. Robertson and H. Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009); the idf is that
// of Lucene, which is never negative.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The parameters of a score.
struct BM25: Hashable, Sendable {
    /// The weight of a word by the number of records that have it.
    enum InverseFrequency: Hashable, Sendable {
        case lucene
        /// The formula of SQLite's FTS5, to compare scores with it.
        case fts5

        func value(count: UInt64, of total: UInt64) -> Double {
            let (count, total) = (Double(count), Double(total))
            switch self {
            case .lucene: return log(1 + (total - count + 0.5) / (count + 0.5))
            case .fts5: return max(log((total - count + 0.5) / (count + 0.5)), 1e-6)
            }
        }
    }

    /// The factor by which a bound is greater whose parts are added in another order than the parts of the score.
    static let boundFactor = 1 + 0x1p-40

    static let usualK1 = 1.2
    static let usualB = 0.75

    /// How soon further occurrences of a word add little; at least 0.
    var k1 = usualK1
    /// The share of the length in the score, 0 to 1.
    var b = usualB
    /// The weights of the fields; at least 0.
    var weights: [Double]
    var inverseFrequency = InverseFrequency.lucene

    /// Creates the usual parameters.
    init(fields: Int) { weights = Array(repeating: 1, count: fields) }
}

/// The parameters of a score, with the statistics of the index.
struct TextScoring: Sendable {
    let parameters: BM25
    /// The number of records in the index.
    let documentCount: UInt64
    let averageLength: Double

    init(_ parameters: BM25, _ statistics: TextStatistics) {
        self.parameters = parameters
        documentCount = statistics.documentCount
        let average = Double(statistics.totalLength) / Double(statistics.documentCount)
        // Without words there are no postings to score.
        averageLength = average > 0 ? average : 1
    }

    /// Returns the weight of a word in a number of records.
    func inverseFrequency(_ count: UInt64) -> Double {
        parameters.inverseFrequency.value(count: count, of: documentCount)
    }

    /// Returns the score of a weighted frequency in a record, without the weight of the word: a bound for greater
    /// lengths and smaller frequencies.
    ///
    /// - Parameter frequency: Infinity for any frequency.
    @inline(__always)
    func saturation(_ frequency: Double, length: UInt64) -> Double {
        guard frequency > 0 else { return 0 }
        let (k1, b) = (parameters.k1, parameters.b)
        return (k1 + 1) / (1 + k1 * (1 - b + b * Double(length) / averageLength) / frequency)
    }
}
