// The names that CloudKit accepts, for warnings. Trove checks the names again, since they can be computed:
// `Sources/Trove/CloudKit/CloudKitName.swift` has the same rules, and a test compares the reserved names.

/// The rules of names in CloudKit.
enum CloudKitNames {
    /// The names of fields that belong to CloudKit, or to Trove.
    private static let reserved: Set<String> = [
        "recordID", "recordType", "recordChangeTag", "creationDate", "creatorUserRecordID", "modificationDate",
        "lastModifiedUserRecordID", "modifiedByDevice", "parent", "share", "etag", "troveKey",
    ]

    /// Returns whether a field can have a name.
    static func isField(_ name: String) -> Bool { isPlain(name) && name.utf8.count <= 255 && !reserved.contains(name) }

    /// Returns whether a record type can have a name. The name of a record has it, and at most 35 characters more.
    static func isRecordType(_ name: String) -> Bool { isPlain(name) && name.utf8.count <= 220 }

    /// Returns whether a name is an ASCII letter, followed by ASCII letters, digits and underscores.
    private static func isPlain(_ name: String) -> Bool {
        guard let first = name.first, first.isASCII, first.isLetter else { return false }
        return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
}
