// A file of all layouts, kept beside the tests and committed, so that a team sees in review that a layout changed.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A JSON file that holds the layouts of a program's record types, and the test that compares them.
///
/// ```swift
/// @Test func layoutsAreThoseOfTheLock() throws {
///     try SchemaLock.check([Person.self, Pet.self], at: "schema.json")
/// }
/// ```
///
/// Any test framework will do: the test passes when nothing is thrown. What is thrown says what changed, and how to
/// accept it. The test has to run where its source file is: on the machine that builds it, not on a device.
public enum SchemaLock {
    /// Compares the types with the file, and writes the file where there is none.
    ///
    /// - Parameters:
    ///   - types: All record types that stores hold.
    ///   - path: The file: beside that of the caller, unless the path is absolute.
    ///   - filePath: The caller's file.
    /// - Throws: ``SchemaLockError/changed(path:changes:)`` where they differ; ``SchemaLockError/written(path:)`` where
    ///   there was no file, so that one that was never committed is noticed; ``SchemaLockError`` in other cases too.
    public static func check(
        _ types: [any IndexKeyRecord.Type], at path: String, filePath: String = #filePath
    ) throws {
        let schemas = try schemas(of: types)
        let path = resolved(path, beside: filePath)
        guard FileManager.default.fileExists(atPath: path) else {
            try write(schemas, path)
            throw SchemaLockError.written(path: path)
        }
        let locked = try LockFile.types(in: read(path), path: path)
        let changes = SchemaComparison(locked: locked, declared: schemas).changes
        guard changes.isEmpty else { throw SchemaLockError.changed(path: path, changes: changes) }
    }

    /// Writes the file, and so accepts every change.
    ///
    /// - Parameters:
    ///   - types: All record types that stores hold.
    ///   - path: The file: beside that of the caller, unless the path is absolute. One that is there is replaced.
    ///   - filePath: The caller's file.
    /// - Throws: ``SchemaLockError`` where two types have one prefix, or the file cannot be written.
    public static func write(
        _ types: [any IndexKeyRecord.Type], at path: String, filePath: String = #filePath
    ) throws {
        try write(schemas(of: types), resolved(path, beside: filePath))
    }

    /// The types' schemas, in the order of the file.
    private static func schemas(of types: [any IndexKeyRecord.Type]) throws(SchemaLockError) -> [RecordSchema] {
        var seen: [UInt32: String] = [:]
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

    private static func read(_ path: String) throws(SchemaLockError) -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw .inaccessible(path: path, reason: "\(error)")
        }
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
