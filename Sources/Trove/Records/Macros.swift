// The macros for storable declarations. The generated code calls public API, so all of it can also be written by hand.

/// Declares a struct as a record type, stored by the key that the arguments name.
///
/// The order of the arguments is the order of the key components, and therefore the order of the records. The other
/// stored properties become the fields, in the order of their declaration.
///
/// ```swift
/// @IndexKeyRecord("lastName", "firstName")
/// struct Person {
///     let lastName: String
///     let firstName: String
///     var age: Int
/// }
/// ```
///
/// The macro generates the conformance to ``IndexKeyRecord``. For each leading part of the key it generates `query`,
/// `select` and `delete`, whose last component is a value or a ``/TroveCoding/ComparisonOperator``. `get` takes the
/// whole key. If
/// the type has no `id` of its own, the macro adds an `id` that is the key, and the type becomes `Identifiable`. It
/// also becomes `Identifiable` if its only key component is called `id`. A type that declares `Identifiable` itself
/// must declare its `id` itself too.
///
/// - Every stored property needs a type annotation. Its type is a ``/TroveCoding/RecordValue``, a raw-value type over a
///   ``/TroveCoding/RecordValue``, or any other `Codable` type (stored as JSON). The type of a key component is a
///   ``/TroveCoding/KeyComponent``.
/// - A constant with an initial value is not stored, because it could not be decoded.
/// - The initial value of a variable is also its value in older records stored without it. It is computed wherever such
///   records are read, so it must not belong to an actor.
/// - If the type contains an `enum CodingKeys: String, CodingKey`, properties are stored under the names in that enum.
///   A property without a case is still stored, under its own name. The arguments below are always names of properties.
///   See ``Renamed(_:_:)`` for changed stored names.
/// - `select` takes `limit:`, `order:` and `after:` before the components. If a component itself has such a name, set
///   that option on the query: `Page.query(limit: 7).limit(10)`.
/// - The generated extension does not see the names around a nested type. So it refers to a property's nonstandard type
///   through a generated enum `PropertyTypes`, and to such an initial value through `PropertyDefaults`.
/// - Each ``Index(_:ranked:where:)`` and ``Unique(_:collisions:where:)`` in the type's body becomes an index of
///   ``IndexKeyRecord/indexes``. Indexes are not part of the layout: neither `validated:` nor the version of the fields
///   depends on them.
///
/// - Parameters:
///   - validated: A hash of the declaration's own text: stored names and types of the properties in order, and the key.
///     When the declaration changes, the build fails and prints the new value. Write 0 to get the first value.
///   - keyPrefix: The stable identity of the type. By default, it is a hash of the type's path inside its module, so a
///     renamed type must set the old value by hand.
///   - fieldsVersion: The version of the fields. By default, it is a hash of their layout. A version set by hand must
///     change whenever the layout changes.
///   - keys: The names of the properties of the key.
@attached(
    extension,
    conformances: IndexKeyRecord, KeyFallback, Identifiable,
    names: named(schema), named(IndexKey), named(indexKey), named(id), named(encodeKey), named(fieldsSize),
    named(encodeFields), named(init), named(projection), named(query), named(select), named(delete), named(get)
)
@attached(member, names: named(PropertyTypes), named(PropertyDefaults), named(indexes))
public macro IndexKeyRecord(
    validated: Int? = nil, keyPrefix: UInt32? = nil, fieldsVersion: UInt32? = nil, _ keys: String...
) = #externalMacro(module: "TroveMacros", type: "IndexKeyRecordMacro")

/// Fails to expand: the key's properties are named by strings, not by key paths.
@attached(extension, conformances: IndexKeyRecord, Identifiable)
@attached(member)
public macro IndexKeyRecord(
    validated: Int? = nil, keyPrefix: UInt32? = nil, fieldsVersion: UInt32? = nil, _ key: KeyPath<AnyNames, Never>,
    _ keys: KeyPath<AnyNames, Never>...
) = #externalMacro(module: "TroveMacros", type: "IndexKeyRecordMacro")

/// A type with a member of every name, so that the compiler leaves it to the macro to report `@IndexKeyRecord(\.id)`.
@dynamicMemberLookup
public enum AnyNames {
    /// A member of any name.
    public subscript(dynamicMember name: String) -> Never {
        switch self {}
    }
}

/// Declares the names of a property in older records, so a renamed property keeps its values.
///
/// ```swift
/// @IndexKeyRecord("id")
/// struct Person {
///     let id: UUID
///     @Renamed("name") var fullName: String
/// }
/// ```
///
/// A property that was renamed several times lists all its old names in one attribute, the oldest first:
/// `@Renamed("name", "fullName") var displayName: String`. So records of every version keep their values, even if
/// versions were skipped. If a record has several of the names, the value of the newest name is taken.
///
/// It works on key components and fields of a struct with ``IndexKeyRecord(validated:keyPrefix:fieldsVersion:_:)``, and
/// on the properties of a struct with ``RecordValue()``. The values of such a struct may be in optionals, arrays and
/// dictionaries, in other values, or in values of its own type. Keep the attribute as long as there may be stores with
/// the old name. It is not needed if the type's `CodingKeys` keep the stored name.
///
/// - Parameters:
///   - oldName: The former stored name of the property; the oldest, if there are several.
///   - laterNames: Its later former names, in the order in which it had them.
@attached(peer)
public macro Renamed(_ oldName: String, _ laterNames: String...) =
    #externalMacro(module: "TroveMacros", type: "RenamedMacro")

/// Declares a struct, or an enum with associated values, as a ``/TroveCoding/RecordValue``: a field of records,
/// stored inline in
/// their bytes.
///
/// ```swift
/// @RecordValue
/// struct Address {
///     var street: String
///     var city: String
/// }
///
/// @RecordValue
/// indirect enum Shape {
///     case circle(radius: Double)
///     case group([Shape])
/// }
/// ```
///
/// A struct is stored as its stored properties in order, under the names of its `CodingKeys` if it has them. An enum is
/// stored as the index of its case and the associated values in order. A property's ``Renamed(_:_:)`` and its initial
/// value mean the same as in a record: its name and its value in values of older layouts. Names and order are part of
/// the layout, and therefore of the version of every record with such a value. Types may contain themselves, nested to
/// a depth of ``/TroveCoding/ValueWriter/depthLimit``. An enum with raw values needs no macro. It declares the
/// conformance:
/// `enum Status: String, RecordValue`.
@attached(
    extension,
    conformances: RecordValue,
    names: named(describe), named(encodedSize), named(encode), named(init), named(skip)
)
@attached(member, names: named(PropertyTypes), named(PropertyDefaults))
public macro RecordValue() = #externalMacro(module: "TroveMacros", type: "RecordValueMacro")
