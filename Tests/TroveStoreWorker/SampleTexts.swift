// The stored sample of full-text indexes: its contents, and the way to write the next sample.
//
//     swift run TroveStoreWorker write-text-sample Tests/TroveTests/Samples/format-N-texts.trove

import Foundation
import Trove

/// Several properties, elements and nil; words with and without their order; a condition, and stop words.
@IndexKeyRecord(keyPrefix: 5_000_051, "id")
package struct SampleArticle: Hashable {
    #FullTextIndex<SampleArticle>(\.title, \.body, \.tags, weights: [3, 1, 2])
    #FullTextIndex<SampleArticle>(\.body, keepsOrder: false, where: { $0.year >= 2000 })
    #FullTextIndex<SampleArticle>(\.title, analyzer: .standard.keepingMarks(on: "åäö").without(.swedish))
    #Index<SampleArticle>(\.year)

    package let id: Int
    package var title: String?
    package var body: String
    package var tags: [String]
    package var year: Int
}

package enum SampleTexts {
    /// The articles in the order of their keys.
    package static let articles = (0..<180).map(article)

    private static let titles = ["Över ån", "An ordered store", nil, "東京都", "can't 3.14", ""]

    /// Returns the article with a number.
    package static func article(_ id: Int) -> SampleArticle {
        // A word in all articles, which fills a block; words of other frequencies; a long word; a long text.
        var body = "every word \(id) " + String(repeating: "again ", count: id % 5) + "group\(id / 20)"
        if id == 17 { body += " " + String(repeating: "long", count: 100) }
        if id == 42 { body += (0..<900).map { " n\($0 % 300)" }.joined() }
        return SampleArticle(
            id: id, title: titles[id % titles.count].map { "\($0) \(id)" }, body: body,
            tags: (0..<id % 4).map { "tag\($0) of all" }, year: 1990 + id % 30)
    }

    /// Inserts the articles, and others whose words and numbers are removed again.
    package static func fill(_ store: Store) throws {
        try store.insert(contentsOf: articles)
        let others = (1000..<1020).map { SampleArticle(id: $0, title: nil, body: "other \($0)", tags: [], year: 1) }
        try store.insert(contentsOf: others)
        for other in others { try store.delete(other) }
        for id in [5, 6, 7] {
            var changed = articles[id]
            changed.body = "changed"
            try store.insert(changed)
            try store.insert(articles[id])
        }
    }

    /// Writes the sample of the current format. The file must not exist yet.
    static func write(to path: String) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "trove-sample-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: directory) } catch { TroveStoreWorker.say("\(error)") }
        }
        let store = try Store(
            path: directory.appending(path: "sample.trove").path, records: [SampleArticle.self])
        try fill(store)
        TroveStoreWorker.say("\(try store.copy(to: path, compacting: true))")
    }
}
