// Medians and spreads.

/// The statistics of the figures of some rounds.
struct Statistics {
    let median: Double
    /// The width of the middle half of the figures, relative to the median.
    let spread: Double

    init(_ figures: [Double]) {
        let sorted = figures.sorted()
        median = Self.quantile(sorted, 0.5)
        spread = median == 0 ? 0 : (Self.quantile(sorted, 0.75) - Self.quantile(sorted, 0.25)) / median
    }

    /// Returns a quantile of sorted figures, interpolated between neighbors.
    static func quantile(_ sorted: [Double], _ part: Double) -> Double {
        guard let last = sorted.last else { return .nan }
        let position = part * Double(sorted.count - 1)
        let index = Int(position)
        let next = index + 1 < sorted.count ? sorted[index + 1] : last
        return sorted[index] + (next - sorted[index]) * (position - Double(index))
    }
}
