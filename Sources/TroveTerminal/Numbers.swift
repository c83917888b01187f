// Numbers formatted for readers.

import Foundation

extension Int {
    /// The number with commas between groups of three digits.
    package var grouped: String { formatted(.number.locale(Locale(identifier: "en_US"))) }
}

extension Duration {
    /// The duration in seconds.
    package var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
