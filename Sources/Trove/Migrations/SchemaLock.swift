// A file with the layouts of all record types. It is committed next to the tests, so code review shows every change of
// a layout.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A JSON file with the layouts of a program's record types, and the test that compares them.
///
/// ```swift
/// @Test func layoutsAreThoseOfTheLock() throws {
///     try SchemaLock.check([Person.self, Pet.self], at: "schema.json")
/// }
/// ```
///
/// As when a store is opened, the targets of relations come along, and so do the types of times and of deleted
/// entities.
///
/// Any test framework works: the test passes if the call does not throw. The error describes the changes and how to
/// accept them. The test has to run on a machine with its source file: on the build machine, not on a device.
public enum SchemaLock {
    /// Compares the types with the file. Writes the file if it does not exist.
    ///
    /// - Parameters:
    ///   - types: All record types of the program's stores.
    ///   - path: The path of the file, absolute or relative to the directory of the caller's file.
    ///   - filePath: The caller's file.
    /// - Throws: ``SchemaLockError/changed(path:changes:)`` if they differ; ``SchemaLockError/written(path:)`` if the
    ///   file did not exist, so that a missing commit of the file is noticed; other cases of ``SchemaLockError``.
    public static func check(
        _ types: [any IndexKeyRecord.Type], at path: String, filePath: String = #filePath
    ) throws {
        let schemas = try schemas(of: types)
        let path = resolved(path, beside: filePath)
        guard FileManager.default.fileExists(atPath: path) else {
            try write(schemas, path)
            throw SchemaLockError.written(path: path)
        }
        let changes = SchemaComparison(old: try Self.types(at: path), new: schemas.map(ComparedType.init)).changes
        guard changes.isEmpty else { throw SchemaLockError.changed(path: path, changes: changes) }
    }

    /// Writes the file, and so accepts every change.
    ///
    /// - Parameters:
    ///   - types: All record types of the program's stores.
    ///   - path: The path of the file, absolute or relative to the directory of the caller's file. An existing file is
    ///     replaced.
    ///   - filePath: The caller's file.
    /// - Throws: ``SchemaLockError`` if two types have the same prefix, or the file cannot be written.
    public static func write(
        _ types: [any IndexKeyRecord.Type], at path: String, filePath: String = #filePath
    ) throws {
        try write(schemas(of: types), resolved(path, beside: filePath))
    }

    /// Returns the schemas of the types in the file's order.
    private static func schemas(of types: [any IndexKeyRecord.Type]) throws(SchemaLockError) -> [RecordSchema] {
        var seen: [UInt32: String] = [:]
        let types = types.withRelatedTypes
        for type in types {
            let schema = type.schema
            if let other = seen.updateValue(schema.qualifiedName, forKey: schema.keyPrefix) {
                throw .prefixTaken(prefix: schema.keyPrefix, type: schema.qualifiedName, by: other)
            }
        }
        return types.map { $0.schema }.sorted { ($0.qualifiedName, $0.keyPrefix) < ($1.qualifiedName, $1.keyPrefix) }
    }

    // MARK: The file

    private static func resolved(_ path: String, beside filePath: String) -> String {
        if path.hasPrefix("/") { return path }
        return URL(fileURLWithPath: filePath).deletingLastPathComponent().appendingPathComponent(path).path
    }

    /// Returns the types of a file.
    static func types(at path: String) throws(SchemaLockError) -> [LockedType] {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw .inaccessible(path: path, reason: "\(error)")
        }
        return try LockFile.types(in: data, path: path)
    }

    private static func write(_ schemas: [RecordSchema], _ path: String) throws(SchemaLockError) {
        do {
            let text = LockFile.text(of: schemas.map(LockedType.init))
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw .inaccessible(path: path, reason: "\(error)")
        }
    }
}
