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
        lastWriteWins(Self(parts)) { $0[keyPath: property] < $1[keyPath: property] }
    }

    /// Keeps the later of the two values, whichever is stored first: the values are compared themselves.
    ///
    /// - Parameter parts: The parts, applied from left to right with the earlier value as the existing value. Without
    ///   any, the later value replaces the earlier value.
    public static func lastWriteWins(_ parts: MergeStrategy...) -> Self where Value: Comparable & SendableMetatype {
        lastWriteWins(Self(parts)) { $0 < $1 }
    }

    private static func lastWriteWins(
        _ strategy: Self, _ isEarlier: @escaping @Sendable (Value, Value) -> Bool
    ) -> Self {
        Self { existing, new in
            isEarlier(existing, new) ? strategy.merge(existing, new: new) : strategy.merge(new, new: existing)
        }
    }
}
