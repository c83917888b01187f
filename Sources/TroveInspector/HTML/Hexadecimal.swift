// Bytes in hexadecimal digits: in addresses, and as a table for readers.

#if Inspector
/// Bytes in hexadecimal digits.
enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Returns two digits a byte.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns the bytes of a text; nil if it has other characters, or half a byte.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.map(\.hexadecimalDigit)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[place], let low = digits[place + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Returns lines of 16 bytes, each with its offset and the ASCII in it.
    static func table(_ bytes: some Collection<UInt8>) -> String {
        var lines: [String] = []
        var rest = bytes[...]
        var offset = 0
        while !rest.isEmpty {
            let line = rest.prefix(16)
            rest = rest.dropFirst(16)
            let number = String(offset, radix: 16)
            let ascii = String(
                decoding: line.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
            let words = line.map { text([$0]) }.joined(separator: " ")
            lines.append(
                String(repeating: "0", count: max(0, 6 - number.count)) + number + "  " + words
                    + String(repeating: " ", count: 3 * (16 - line.count)) + "  " + ascii)
            offset += 16
        }
        return lines.joined(separator: "\n")
    }
}
#endif
