// A bounded sort. The caller keeps the elements in an array. A TopN keeps only their sort bytes and their array
// indices.

import LMDB

/// The first elements in the order of their bytes: all of them, or a limited number.
///
/// With a limit, up to twice that number (or 64) is kept, and then the greater half is dropped. So an element after all
/// kept elements is rejected with a single comparison, and the limit alone bounds the memory.
@usableFromInline
struct TopN {
    private struct Item {
        /// The first eight bytes. They nearly always decide a comparison.
        var head: UInt64
        var bytes: [UInt8]
        var place: Int
    }

    private var items: [Item] = []
    private let wanted: Int
    /// The number of elements to keep before the greater half is dropped.
    private let capacity: Int
    /// The greatest sort bytes still possible in the result.
    private var bound: [UInt8]?
    private var freePlaces: [Int] = []
    private var placeCount = 0

    init(wanted: Int?) {
        self.wanted = max(0, wanted ?? .max)
        let (double, overflow) = self.wanted.multipliedReportingOverflow(by: 2)
        capacity = overflow ? .max : max(double, 64)
    }

    /// Returns the array index for an element with these sort bytes; nil if the result does not need it.
    mutating func insert(_ bytes: [UInt8]) -> Int? {
        guard wanted > 0 else { return nil }
        if let bound, !Self.precedes(bytes, bound) { return nil }
        let place = freePlaces.popLast() ?? placeCount
        placeCount = max(placeCount, place + 1)
        items.append(Item(head: ByteView.with(bytes, \.head), bytes: bytes, place: place))
        if items.count == capacity { prune() }
        return place
    }

    private mutating func prune() {
        sort()
        let kept = min(wanted, items.count)
        freePlaces += items[kept...].map(\.place)
        items.removeSubrange(kept...)
        bound = items.last?.bytes
    }

    /// Returns the array indices of the result, in order.
    @usableFromInline
    mutating func places(from offset: Int) -> [Int] {
        sort()
        return items.prefix(wanted).dropFirst(offset).map(\.place)
    }

    private mutating func sort() {
        items.sort { left, right in
            left.head != right.head ? left.head < right.head : Self.precedes(left.bytes, right.bytes)
        }
    }

    static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        ByteView.with(left) { $0.compare(right) < 0 }
    }
}
