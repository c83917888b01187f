// A projection without the type of its property.

/// A ``Projection`` of any type.
public protocol PropertyProjection: Sendable {}
