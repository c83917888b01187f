// The coding of properties whose type is an entity. It refuses them: an entity is linked, and never a part of another
// record.

import TroveCoding

/// A type whose values are or hold entities.
///
/// Entities conform, and so do optionals, arrays, sets and dictionaries of entities. Do not add conformances of your
/// own.
public protocol EntityHolding {}

extension Optional: EntityHolding where Wrapped: EntityHolding {}

extension Array: EntityHolding where Element: EntityHolding {}

extension Set: EntityHolding where Element: EntityHolding {}

extension Dictionary: EntityHolding where Value: EntityHolding {}

/// The coding of a property with entities, which does not compile.
public enum EmbeddedEntity<Value: EntityHolding>: RefusedField {
    /// Fails to compile: an entity is not stored in another record.
    @available(
        *, unavailable,
        message:
            "is an entity, which is not stored inside another record: declare the property with '@Relationship(inverse: …)' or '@Relationship()', or store the id"
    )
    public static func encode(_ value: Value, into writer: inout ValueWriter) {}
}

/// Returns the coding of a property with entities, `Codable` or not, so that the compiler refuses it.
public func fieldCoding<Value: EntityHolding>(of type: Value.Type) -> EmbeddedEntity<Value>.Type {
    EmbeddedEntity<Value>.self
}
