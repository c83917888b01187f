// A set of record numbers: 2 bytes each, or a bit for each record where there are many.

/// A set of record numbers, in chunks of 65,536.
struct RecordNumberSet {
    /// A sorted list, or a bitmap in place of a longer list.
    private struct Chunk {
        var list: [UInt16] = []
        var bits: [UInt64] = []

        mutating func append(_ rest: UInt16) {
            if bits.isEmpty {
                list.append(rest)
                guard list.count == listLimit else { return }
                bits = [UInt64](repeating: 0, count: wordsPerChunk)
                for rest in list { set(rest) }
                list = []
            } else {
                set(rest)
            }
        }

        private mutating func set(_ rest: UInt16) { bits[Int(rest >> 6)] |= 1 &<< UInt64(rest & 63) }

        func contains(_ rest: UInt16) -> Bool {
            if !bits.isEmpty { return bits[Int(rest >> 6)] & (1 &<< UInt64(rest & 63)) != 0 }
            let place = first(in: list, atLeast: rest)
            return place < list.count && list[place] == rest
        }
    }

    /// The size of a list from which on a bitmap is smaller.
    private static let listLimit = 4_096
    private static let wordsPerChunk = 1_024

    /// The numbers of the chunks, ascending.
    private var places: [UInt64] = []
    private var chunks: [Chunk] = []
    private(set) var count = 0

    init() {}

    /// - Parameter ids: The numbers, ascending.
    init(_ ids: [UInt64]) { for id in ids { append(id) } }

    /// Adds a number, greater than all numbers of the set.
    mutating func append(_ id: UInt64) {
        count += 1
        let (place, rest) = (id >> 16, UInt16(truncatingIfNeeded: id))
        if places.last != place {
            places.append(place)
            chunks.append(Chunk())
        }
        chunks[chunks.count - 1].append(rest)
    }

    func contains(_ id: UInt64) -> Bool {
        let place = Self.first(in: places, atLeast: id >> 16)
        guard place < places.count, places[place] == id >> 16 else { return false }
        return chunks[place].contains(UInt16(truncatingIfNeeded: id))
    }

    private static func first<Number: Comparable>(in numbers: [Number], atLeast number: Number) -> Int {
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
