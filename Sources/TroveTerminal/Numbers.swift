// Numbers formatted for readers.

import Foundation

extension Int {
    /// The number with commas between groups of three digits.
    package var grouped: String { formatted(.number.locale(Locale(identifier: "en_US"))) }
}

extension Double {
    /// The number with one digit after the point, and with commas between groups of three digits before it. A number
    /// below zero or without a value is zero, and a greater one than a trillion is a trillion.
    package var tenths: String {
        let tenths = isNaN ? 0 : Int((max(0, min(self, 1e12)) * 10).rounded())
        return "\((tenths / 10).grouped).\(tenths % 10)"
    }
}

extension Duration {
    /// The duration in seconds.
    package var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }

    /// The duration in milliseconds as text.
    package var milliseconds: String { (seconds * 1_000).tenths + " ms" }
}
