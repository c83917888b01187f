// The names that CloudKit accepts. Its classes raise an exception for any other name.

/// The rules of names in CloudKit.
package enum CloudKitName {
    /// The field with the whole name of a record whose own name has a hash.
    package static let keyField = "troveKey"

    /// The names of fields that belong to CloudKit, or to records with a hash in their names. The macro has a list of
    /// its own for its warnings.
    package static let reserved: Set<String> = [
        "recordID", "recordType", "recordChangeTag", "creationDate", "creatorUserRecordID", "modificationDate",
        "lastModifiedUserRecordID", "modifiedByDevice", "parent", "share", "etag", keyField,
    ]

    /// Returns whether a field can have a name.
    static func isField(_ name: String) -> Bool { isPlain(name) && !reserved.contains(name) }

    /// Returns whether a record type can have a name. The name of a record has it, and at most 35 characters more.
    static func isRecordType(_ name: String) -> Bool { isPlain(name) && name.utf8.count <= 220 }

    /// Returns whether a name is an ASCII letter, followed by ASCII letters, digits and underscores.
    private static func isPlain(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic,
            name.utf8.count <= 255
        else { return false }
        return name.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_")
        }
    }
}
