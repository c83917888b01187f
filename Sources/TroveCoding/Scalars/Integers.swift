// The integers of the standard library.

extension Int8: StoredInteger {
    /// The type itself.
    public typealias Stored = Int8
    /// `Int8`.
    public static var layoutName: String { "Int8" }
}

extension Int16: StoredInteger {
    /// The type itself.
    public typealias Stored = Int16
    /// `Int16`.
    public static var layoutName: String { "Int16" }
}

extension Int32: StoredInteger {
    /// The type itself.
    public typealias Stored = Int32
    /// `Int32`.
    public static var layoutName: String { "Int32" }
}

extension Int64: StoredInteger {
    /// The type itself.
    public typealias Stored = Int64
    /// `Int64`.
    public static var layoutName: String { "Int64" }
}

extension Int128: StoredInteger {
    /// The type itself.
    public typealias Stored = Int128
    /// `Int128`.
    public static var layoutName: String { "Int128" }
}

extension Int: StoredInteger {
    /// `Int64`, whatever the width of `Int`.
    public typealias Stored = Int64
    /// `Int64`.
    public static var layoutName: String { "Int64" }
}

extension UInt8: StoredInteger {
    /// The type itself.
    public typealias Stored = UInt8
    /// `UInt8`.
    public static var layoutName: String { "UInt8" }
}

extension UInt16: StoredInteger {
    /// The type itself.
    public typealias Stored = UInt16
    /// `UInt16`.
    public static var layoutName: String { "UInt16" }
}

extension UInt32: StoredInteger {
    /// The type itself.
    public typealias Stored = UInt32
    /// `UInt32`.
    public static var layoutName: String { "UInt32" }
}

extension UInt64: StoredInteger {
    /// The type itself.
    public typealias Stored = UInt64
    /// `UInt64`.
    public static var layoutName: String { "UInt64" }
}

extension UInt128: StoredInteger {
    /// The type itself.
    public typealias Stored = UInt128
    /// `UInt128`.
    public static var layoutName: String { "UInt128" }
}

extension UInt: StoredInteger {
    /// `UInt64`, whatever the width of `UInt`.
    public typealias Stored = UInt64
    /// `UInt64`.
    public static var layoutName: String { "UInt64" }
}

// MARK: Scalars

extension Int8: StoredScalar, DistinctBytes {}
extension Int16: StoredScalar, DistinctBytes {}
extension Int32: StoredScalar, DistinctBytes {}
extension Int64: StoredScalar, DistinctBytes {}
extension Int128: StoredScalar, DistinctBytes {}
extension Int: DistinctBytes {}
extension UInt8: StoredScalar, DistinctBytes {}
extension UInt16: StoredScalar, DistinctBytes {}
extension UInt32: StoredScalar, DistinctBytes {}
extension UInt64: StoredScalar, DistinctBytes {}
extension UInt128: StoredScalar, DistinctBytes {}
extension UInt: DistinctBytes {}
