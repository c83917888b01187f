// The strategy for values that carry the time of their last change.

extension MergeStrategy {
    /// Keeps the later of the two values, whichever is stored first.
    ///
    /// The parts are applied with the earlier value as the existing value and the later value as the new value. So
    /// `.lastWriteWins(.patch(\.name), comparedBy: \.modified)` takes the name from the earlier value if the later has
    /// none. If both are equally late, the existing value counts as the later value.
    ///
    /// - Parameters:
    ///   - parts: The parts, applied from left to right. Without any, the later value replaces the earlier value.
    ///   - property: The time of the last change, or any other property that increases.
    public static func lastWriteWins<Time: Comparable & SendableMetatype>(
        _ parts: MergeStrategy..., comparedBy property: KeyPath<Value, Time> & Sendable
    ) -> Self {
        let strategy = Self(parts)
        return Self { existing, new in
            existing[keyPath: property] < new[keyPath: property]
                ? strategy.merge(existing, new: new) : strategy.merge(new, new: existing)
        }
    }
}
