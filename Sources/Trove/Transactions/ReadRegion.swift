// The keys and ranges that reads depend on, noted during the reads.

import LMDB
import TroveCoding

/// The part of a store that the reads of a context depend on.
///
/// A read of a record notes its key, and a scan notes its key ranges. A request for a table without key ranges notes
/// the whole type. So a region may be too large, and is never too small.
final class ReadRegion {
    private(set) var region = ObservedRegion()

    /// The maximum numbers of keys and of ranges of a type; beyond them, the region grows to a range or to the type.
    private static let (keyLimit, rangeLimit) = (1_000, 64)

    /// Adds a record, stored or not.
    func note(_ key: RawSpan, of keyPrefix: UInt32) {
        guard let part = part(keyPrefix) else { return }
        guard part.keys.count < Self.keyLimit else { return region.insertAll(of: keyPrefix) }
        region.insert(key: copiedBytes(key), of: keyPrefix)
    }

    /// Adds the records with keys in some ranges, which are in ascending order.
    func note(_ ranges: [KeyRange], of keyPrefix: UInt32) {
        guard let part = part(keyPrefix) else { return }
        if ranges.isEverything { return region.insertAll(of: keyPrefix) }
        var ranges = ranges.filter { !part.ranges.contains($0) }
        if ranges.count > Self.rangeLimit, let first = ranges.first, let last = ranges.last {
            ranges = [KeyRange(lower: first.lower, upper: last.upper)]
        }
        guard part.ranges.count < Self.rangeLimit else { return region.insertAll(of: keyPrefix) }
        for range in ranges { region.insert(range: range, of: keyPrefix) }
    }

    /// Adds all records of a type.
    func noteAll(of keyPrefix: UInt32) { if part(keyPrefix) != nil { region.insertAll(of: keyPrefix) } }

    /// Adds all records of all types.
    func noteEverything() { region.insertEverything() }

    /// Adds the region that another read depends on.
    func note(_ region: ObservedRegion) { self.region.formUnion(region) }

    /// Returns the noted part of a type; nil if it is the whole type.
    private func part(_ keyPrefix: UInt32) -> ObservedRegion.Part? {
        if region.isEverything { return nil }
        let part = region.parts[keyPrefix] ?? ObservedRegion.Part()
        return part.isWhole ? nil : part
    }
}

extension ReadContext {
    /// Runs a closure that reads in this context. Its reads are noted here alone, and not in a call around this one.
    ///
    /// - Returns: The closure's result, and the part of the store that its reads depend on.
    final func notingReads<R>(_ body: () throws -> R) rethrows -> (R, ObservedRegion) {
        let (notes, outer) = (ReadRegion(), readRegion)
        readRegion = notes
        defer { readRegion = outer }
        return (try body(), notes.region)
    }
}
