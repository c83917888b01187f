// Positions by the counts of entries, compared with a list in memory.

import Testing
import TroveTestSupport

@testable import Trove

extension Query where Record.IndexKey: Equatable {
    /// Compares the count, pages and ranks of the query with the keys of all its records in its order.
    ///
    /// - Parameter keys: The keys, found without the query.
    func expectPositions(
        _ keys: [Record.IndexKey], in source: some RecordReadable, using random: inout SeededGenerator,
        _ note: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try count(in: source) == keys.count, "\(self), \(note)", sourceLocation: sourceLocation)
        for _ in 0..<3 {
            let offset = Int.random(in: 0...keys.count + 1, using: &random)
            let page = Array(keys.dropFirst(offset).prefix(3))
            #expect(
                try self.offset(offset).limit(3).keys(in: source) == page, "\(self), offset \(offset), \(note)",
                sourceLocation: sourceLocation)
            guard let place = keys.indices.randomElement(using: &random) else { continue }
            #expect(
                try rank(ofKey: keys[place]).resolve(in: source) == place + 1, "\(self), \(keys[place]), \(note)",
                sourceLocation: sourceLocation)
        }
    }

    /// Expects a page far down the list to be found by the counts of a ranked index.
    func expectCounted(
        in source: some RecordReadable, _ note: Comment, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let plan = try offset(300).limit(1).explain(in: source)
        #expect(
            plan.contains("offset 300 by the counts of entries"), "\(plan), \(note)", sourceLocation: sourceLocation)
    }
}

extension Array where Element: Comparable {
    /// The quantile of the values, as ``Query/quantile(_:of:)`` defines it; nil without values.
    func quantile(_ share: Double) -> Element? {
        isEmpty ? nil : sorted()[Swift.max(1, Int((share * Double(count)).rounded(.up))) - 1]
    }
}
