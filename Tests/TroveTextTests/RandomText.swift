// Random texts that are rich in the parts of words.

import TroveTestSupport

@testable import TroveText

/// Random texts of many scripts.
struct RandomText {
    var generator: SeededGenerator

    private static let ranges: [ClosedRange<UInt32>] = [
        0x20...0x7E, 0x61...0x7A, 0x41...0x5A, 0x61...0x7A, 0x00...0x1F, 0xA0...0x17F, 0x180...0x24F, 0x250...0x2FF,
        0x300...0x36F, 0x370...0x3FF, 0x400...0x52F, 0x530...0x58F, 0x590...0x5FF, 0x600...0x6FF, 0x700...0x7FF,
        0x900...0x97F, 0x980...0x9FF, 0xB80...0xBFF, 0xC80...0xD7F, 0xE00...0xE7F, 0xE80...0xEFF, 0xF00...0xFFF,
        0x1000...0x109F, 0x10A0...0x10FF, 0x1100...0x11FF, 0x1200...0x139F, 0x13A0...0x13FF, 0x1780...0x17FF,
        0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x1E00...0x1FFF, 0x2000...0x206F, 0x2070...0x218F, 0x2460...0x24FF,
        0x2600...0x27BF, 0x3000...0x303F, 0x3040...0x30FF, 0x3130...0x33FF, 0x4E00...0x4E40, 0xAC00...0xAC80,
        0xE000...0xE010, 0xF900...0xFA20, 0xFB00...0xFDFF, 0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xFE70...0xFFFF,
        0x1B000...0x1B010, 0x1D15E...0x1D164, 0x1D400...0x1D7FF, 0x1F1E6...0x1F1FF, 0x1F300...0x1F3FF,
        0x1F468...0x1F469, 0x20000...0x20010, 0x2F800...0x2F8FF, 0xE0020...0xE007F,
    ]
    private static let special: [UInt32] = [
        0x20, 0x200D, 0xFE0F, 0x20E3, 0x23, 0x2A, 0x31, 0x1F3FD, 0x301, 0x308, 0x323, 0x345, 0xAD, 0x200C, 0x200F,
        0x640,
        0x130, 0x131, 0xDF, 0x1E9E, 0x3A3, 0x3C2, 0x1F468, 0x2764, 0x3099, 0xFF9E, 0xBD, 0xFDFA, 0x337F, 0x378,
        0x10FFFF, 0x1F3F4, 0xE0067, 0xE007F, 0x1100, 0x1161, 0x11A8,
    ]

    /// Returns a scalar.
    mutating func scalar() -> Unicode.Scalar {
        while true {
            let value =
                Int.random(in: 0..<4, using: &generator) == 0
                ? Self.special.randomElement(using: &generator) ?? 0x20
                : UInt32.random(in: Self.ranges.randomElement(using: &generator) ?? 0x20...0x7E, using: &generator)
            if let scalar = Unicode.Scalar(value) { return scalar }
        }
    }

    /// Returns a text of random length.
    ///
    /// - Parameter isAccepted: Whether a scalar may occur.
    mutating func text(upTo length: Int = 40, where isAccepted: (Unicode.Scalar) -> Bool = { _ in true }) -> String {
        var result = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...length, using: &generator) {
            let scalar = scalar()
            if isAccepted(scalar) { result.append(scalar) }
        }
        return String(result)
    }

    /// Returns a text that is mostly ASCII.
    mutating func asciiText(upTo length: Int = 60) -> String {
        var result = ""
        for _ in 0..<Int.random(in: 0...length, using: &generator) {
            result.unicodeScalars.append(
                Int.random(in: 0..<30, using: &generator) == 0
                    ? scalar() : Unicode.Scalar(UInt8.random(in: 0..<128, using: &generator)))
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Whether Unicode 15.0 knows the scalar: newer scalars fold in newer versions of Swift only.
    var isKnown: Bool {
        guard let age = properties.age else { return false }
        return age.major <= 15 && (age.major < 15 || age.minor == 0)
    }

    /// Whether Foundation normalizes texts with the scalar: on Linux it composes tags with marks as if they were ASCII
    /// letters, and some jamo as if they were others.
    var isNormalizedByFoundation: Bool {
        let wrong: [ClosedRange<UInt32>] = [
            0x1100...0x11FF, 0x3130...0x318F, 0x3200...0x327F, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xFFA0...0xFFDC,
            0xE0000...0xE0FFF,
        ]
        return isKnown && !wrong.contains { $0.contains(value) }
    }
}
