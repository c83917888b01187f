// The entries of the sample files: a file in each format of LMDB, with the same entries.

/// The tables of the sample files, by name, with their entries in order.
///
/// `Tests/LMDBTests/Samples` has a file in each format. `LMDBTestWorker sample PATH` writes one with the liblmdb that
/// it loads.
public enum SampleEntries {
    /// A key and a value.
    public typealias Entry = (key: [UInt8], value: [UInt8])

    /// The tables: an empty one, one of a single entry, one of values that need pages of their own, and one of several
    /// levels, whose keys and values have even and odd sizes.
    public static let tables: [(name: String, entries: [Entry])] = [
        ("empty", []),
        ("large", (0..<4).map { number in (key(number, size: 511), bytes(number, count: 3000 + number * 1300)) }),
        ("many", (0..<400).map { number in (key(number, size: 2 + number % 9), bytes(number, count: number % 23)) }),
        ("größe", [([0], [])]),
    ]

    /// Returns a key that begins with a number, so that keys ascend with their numbers.
    private static func key(_ number: Int, size: Int) -> [UInt8] {
        let head = [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
        return head + [UInt8](repeating: UInt8(truncatingIfNeeded: size), count: size - head.count)
    }

    private static func bytes(_ number: Int, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number &+ $0 &* 7) }
    }
}
