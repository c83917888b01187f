// Numbers and durations as the report shows them.

import Foundation

extension Int {
    /// The number with commas between groups of three digits.
    var grouped: String { formatted(.number.locale(Locale(identifier: "en_US"))) }
}

extension Duration {
    /// The duration in the unit that suits it.
    var short: String {
        let seconds = self / .seconds(1)
        let (value, unit) =
            switch seconds {
            case ..<1e-3: (seconds * 1e6, "µs")
            case ..<1: (seconds * 1e3, "ms")
            default: (seconds, "s")
            }
        return "\(value.formatted(.number.precision(.fractionLength(1)).locale(Locale(identifier: "en_US")))) \(unit)"
    }
}
