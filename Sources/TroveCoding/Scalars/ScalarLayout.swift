// The scalar types, and their names in layouts.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The layout of a value without parts, such as a number or a text.
public struct ScalarLayout: Sendable {
    /// The type that reads and writes the values.
    let type: any StoredScalar.Type

    init(_ type: any StoredScalar.Type) { self.type = type }

    /// Every scalar type. Stores hold the names of the types: no type is ever removed.
    static let all: [ScalarLayout] = [
        Int8.self, Int16.self, Int32.self, Int64.self, Int128.self,
        UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self,
        Float.self, Double.self,
        Bool.self,
        String.self,
        [UInt8].self,  // Data
        UUID.self,
        Date.self,
        Decimal.self,
        URL.self,
    ].map(ScalarLayout.init)

    /// The scalar types by their names in layouts.
    static let named: [String: ScalarLayout] = all.reduce(into: [:]) { $0[$1.type.name] = $1 }
}

extension ScalarLayout: Hashable {
    /// Returns whether two layouts are of the same type.
    public static func == (left: ScalarLayout, right: ScalarLayout) -> Bool { left.type == right.type }

    /// Hashes the type.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}

extension ScalarLayout: CustomStringConvertible {
    /// The name in layouts.
    public var description: String { type.name }
}

extension LayoutType {
    /// Creates the layout of a scalar type.
    init(_ scalar: any StoredScalar.Type) { self = .scalar(ScalarLayout(scalar)) }
}
