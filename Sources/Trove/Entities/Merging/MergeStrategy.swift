// The strategies that combine a saved value with the stored value of the same id.

/// A strategy that combines a new value with an existing value.
///
/// A strategy of several parts applies them from left to right. Each part gets the existing value and the result of the
/// parts before it:
///
/// ```swift
/// extension User {
///     static var fragmentMergeStrategy: MergeStrategy<User> {
///         MergeStrategy(.patch(\.profile), .append(\.tags))
///     }
/// }
/// ```
///
/// A strategy of an entity decides about its properties. The result always has the relations of the new entity.
public struct MergeStrategy<Value>: Sendable {
    /// The combination; nil if the new value replaces the existing value, which then need not be read.
    @usableFromInline let combine: (@Sendable (_ existing: Value, _ new: Value) -> Value)?

    private init(combine: (@Sendable (Value, Value) -> Value)?) { self.combine = combine }

    /// Creates a strategy of a closure.
    ///
    /// - Parameter merge: Returns the value to store.
    public init(_ merge: @escaping @Sendable (_ existing: Value, _ new: Value) -> Value) {
        self.init(combine: merge)
    }

    /// Creates a strategy of several parts, applied from left to right.
    ///
    /// - Parameter parts: The parts. Without any, the new value replaces the existing value.
    public init(_ parts: MergeStrategy...) { self.init(parts) }

    init(_ parts: [MergeStrategy]) {
        let combines = parts.compactMap(\.combine)
        switch combines.count {
        case 0: combine = nil
        case 1: combine = combines[0]
        default: combine = { existing, new in combines.reduce(new) { result, next in next(existing, result) } }
        }
    }

    /// Returns the combination of two values.
    ///
    /// - Parameters:
    ///   - existing: The existing value.
    ///   - new: The new value.
    public func merge(_ existing: Value, new: Value) -> Value { combine?(existing, new) ?? new }

    /// The new value replaces the existing value.
    public static var replace: Self { Self(combine: nil) }
}

extension MergeStrategy where Value: EntityModelProtocol {
    /// The default strategy of the type.
    public static var `default`: Self { Value.defaultMergeStrategy }

    /// The strategy of the type for incomplete entities.
    public static var fragment: Self { Value.fragmentMergeStrategy }
}
