// The shared description of stored properties in records and nested values: names, types and defaults.

import SwiftSyntax

/// Describes the stored properties of a declaration.
struct PropertyDescriber {
    /// The spelling of the types and default values in generated code.
    private(set) var outside: OutsideTypes
    private let locations: SourceLocations?
    private var renames: RenameValidator
    private let codingKeys: CodingKeyNames

    init(
        _ properties: [StoredProperty], of members: MemberList, in context: TypeContext, _ locations: SourceLocations?
    ) {
        self.locations = locations
        outside = OutsideTypes(context: context, members: members)
        renames = RenameValidator(properties, members.codingKeys)
        codingKeys = members.codingKeys
    }

    /// Describes a property.
    ///
    /// - Parameters:
    ///   - type: The type in its declaration.
    ///   - keyAccess: For a key component, the access level of the key; nil for a field.
    mutating func description(
        of property: StoredProperty, _ type: TypeSyntax, keyAccess: AccessLevel? = nil,
        _ diagnostics: inout DiagnosticList
    ) -> PropertyDescription {
        let name = property.name.plainName
        let access = min(property.access, .internal)
        let initialValue = keyAccess == nil ? property.initialValue : nil
        return PropertyDescription(
            name: name, code: property.name.text, label: property.name.argumentLabel,
            storedName: codingKeys.storedName(of: name), oldNames: renames.oldNames(of: property, &diagnostics),
            declaredType: type.compactSpelling,
            type: outside.spelling(of: type, alias: property.name.text, access: keyAccess ?? access),
            hasStandardType: !type.mayBeOutside(visible: []), location: locations?.directive(of: type),
            defaultValue: initialValue.map {
                outside.spelling(ofDefault: $0, type: type, function: property.name.text, access: access)
            },
            access: property.access)
    }
}
