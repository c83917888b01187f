// Damage to the bytes of a file.

/// A damage to a file.
enum Damage: CustomStringConvertible {
    case flippedBit(at: Int, bit: Int)
    case zeros(Range<Int>)
    case swappedPages(Int, Int)
    case cut(to: Int)

    /// The number of kinds.
    static let kinds = 4

    /// Creates damage of a kind at a random place.
    init(kind: Int, _ bytes: [UInt8], pageSize: Int, using generator: inout some RandomNumberGenerator) {
        let offset = Int.random(in: bytes.indices, using: &generator)
        switch kind % Self.kinds {
        case 0: self = .flippedBit(at: offset, bit: Int.random(in: 0..<8, using: &generator))
        case 1:
            let count = 1 << Int.random(in: 0...14, using: &generator)
            self = .zeros(offset..<min(bytes.count, offset + count))
        case 2:
            let pages = bytes.count / pageSize
            self = .swappedPages(
                Int.random(in: 0..<pages, using: &generator), Int.random(in: 0..<pages, using: &generator))
        default: self = .cut(to: offset)
        }
    }

    func apply(to bytes: inout [UInt8], pageSize: Int) {
        switch self {
        case .flippedBit(let offset, let bit):
            if offset < bytes.count { bytes[offset] ^= 1 << bit }
        case .zeros(let range):
            for index in range.clamped(to: bytes.indices) { bytes[index] = 0 }
        case .swappedPages(let first, let second):
            guard (max(first, second) + 1) * pageSize <= bytes.count else { return }
            for index in 0..<pageSize { bytes.swapAt(first * pageSize + index, second * pageSize + index) }
        case .cut(let count):
            bytes.removeSubrange(min(count, bytes.count)...)
        }
    }

    var description: String {
        switch self {
        case .flippedBit(let offset, let bit): "bit \(bit) of byte \(offset) flipped"
        case .zeros(let range): "zeros at \(range)"
        case .swappedPages(let first, let second): "pages \(first) and \(second) swapped"
        case .cut(let count): "cut to \(count) bytes"
        }
    }
}
