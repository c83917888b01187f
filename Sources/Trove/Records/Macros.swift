// The macros that make a declaration storable. What they write calls the library; nothing of it is out of reach by
// hand.

/// Makes a struct a record type, stored by the key that the arguments name.
///
/// The order of the arguments is the order of the key's components, and so the order of the records. The other stored
/// properties become the fields, in the order of their declaration.
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
/// The macro writes the conformance to ``IndexKeyRecord`` and, for each leading part of the key, `query`, `select` and
/// `delete` with the last component plain or a ``ComparisonOperator``; `get` takes the whole key. Where the type has no
/// `id` of its own, `id` is the key and the type is `Identifiable`; so it is when its only key component is called
/// `id`. A type that declares `Identifiable` itself writes its `id` itself too.
///
/// - Every stored property needs a type annotation. Its type is a ``RecordValue``, a raw-value type over one, or any
///   other `Codable` type (stored as JSON). A key component's type is a ``KeyComponent``.
/// - A constant with an initial value is not stored: it could not be decoded.
/// - The initial value of a variable is also what older records have that were stored without it. It is computed
///   wherever they are read, so that it must not belong to an actor.
/// - Where the type contains an `enum CodingKeys: String, CodingKey`, properties are stored under the names that it gives.
///   A property that it leaves out is stored all the same, under its own name. The arguments below are names of
///   properties in any case. See ``Renamed(_:)`` for stored names that changed.
/// - `select` takes `limit:`, `order:` and `after:` before the components. Where a component itself has one of these
///   names, that option is left to the query: `Page.query(limit: 7).limit(10)`.
/// - Inside another type, a property whose type is not a standard one is reached through a generated enum
///   `PropertyTypes`, because an extension does not see the names around the type; so is such an initial value, through
///   `PropertyDefaults`.
/// - Each ``Index(_:where:)`` and ``Unique(_:collisions:where:)`` in the type's body becomes a table of
///   ``IndexKeyRecord/indexes``. They are no part of the layout: neither `validated:` nor the version of the
///   fields depends on them.
///
/// - Parameters:
///   - validated: A hash of the declaration's own text: stored names and types of the properties in order, and the key.
///     When the declaration changes, the build fails and gives the new value. Write 0 to learn the first one.
///   - keyPrefix: The stable identity of the type. By default it follows from the type's path inside its module, so that
///     a type that is renamed needs the old one by hand.
///   - fieldsVersion: The version of the fields. By default it follows from their layout. Given by hand, it must change
///     whenever the layout does.
///   - keys: The names of the properties that are the key.
@attached(
    extension,
    conformances: IndexKeyRecord, Identifiable,
    names: named(schema), named(IndexKey), named(indexKey), named(id), named(encodeKey), named(fieldsSize),
    named(encodeFields), named(init), named(projection), named(query), named(select), named(delete), named(get)
)
@attached(member, names: named(PropertyTypes), named(PropertyDefaults), named(indexes))
public macro IndexKeyRecord(
    validated: Int? = nil, keyPrefix: UInt32? = nil, fieldsVersion: UInt32? = nil, _ keys: String...
) = #externalMacro(module: "TroveMacros", type: "IndexKeyRecordMacro")

/// Says under which name older records have a property, so that a renamed property keeps its values.
///
/// ```swift
/// @IndexKeyRecord("id")
/// struct Person {
///     let id: UUID
///     @Renamed("name") var fullName: String
/// }
/// ```
///
/// It works on key components and on fields of a struct with ``IndexKeyRecord(validated:keyPrefix:fieldsVersion:_:)``,
/// and on the properties of a struct with ``RecordValue()``, wherever its values stand: in optionals, arrays and
/// dictionaries, in other values, in values of its own type. Keep it as long as there may be stores with the old name. A property whose stored name stays what it was, because
/// the type's `CodingKeys` say so, needs no such attribute.
///
/// - Parameter oldName: The name under which the property was stored.
@attached(peer)
public macro Renamed(_ oldName: String) = #externalMacro(module: "TroveMacros", type: "RenamedMacro")

/// Makes a struct, or an enum with associated values, a ``RecordValue``: a field of records, inline in their bytes.
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
/// A struct is its stored properties in order, under the names of its `CodingKeys` where it has them; an enum is the
/// index of its case and the associated values in order. A property's ``Renamed(_:)`` and its initial value mean what
/// they mean in a record: the name and the value that it has in values of older layouts. Names and order are part of the layout, and so of the version
/// of every record that holds such a value. Types may contain themselves, nested to a depth of
/// ``ValueWriter/depthLimit``. An enum with raw values needs no macro: it declares the conformance,
/// `enum Status: String, RecordValue`.
@attached(
    extension,
    conformances: RecordValue,
    names: named(describe), named(encodedSize), named(encode), named(init), named(skip)
)
@attached(member, names: named(PropertyTypes), named(PropertyDefaults))
public macro RecordValue() = #externalMacro(module: "TroveMacros", type: "RecordValueMacro")
