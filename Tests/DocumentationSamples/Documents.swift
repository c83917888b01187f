// The documents with samples, and the place of the generated files.

import Foundation

/// The repository's documents and their generated files.
struct Documents {
    let root: URL

    /// The directory of the generated files.
    var generated: URL { root.appending(path: "Tests/DocumentationTests/Generated") }

    /// Returns README.md, all of Docs, and the DocC catalogs, sorted by path.
    func read() throws -> [(path: String, text: String)] {
        var paths = ["README.md"]
        paths += try markdown(in: "Docs")
        for target in try names(in: "Sources") {
            paths += try markdown(in: "Sources/\(target)/\(target).docc")
        }
        return try paths.filter { exists($0) }.map { path in
            (path, try String(contentsOf: root.appending(path: path), encoding: .utf8))
        }
    }

    /// Returns the expected generated files.
    func expectedFiles() throws -> [SampleFile] {
        try SampleFile.files(for: read())
    }

    /// Returns the current generated files.
    func currentFiles() throws -> [SampleFile] {
        try names(in: "Tests/DocumentationTests/Generated").filter { $0.hasSuffix(".swift") }.map { name in
            SampleFile(name: name, text: try String(contentsOf: generated.appending(path: name), encoding: .utf8))
        }
    }

    /// Writes the generated files, and removes files without a sample.
    func update() throws {
        let expected = try expectedFiles()
        try FileManager.default.createDirectory(at: generated, withIntermediateDirectories: true)
        for file in try currentFiles() where !expected.contains(where: { $0.name == file.name }) {
            try FileManager.default.removeItem(at: generated.appending(path: file.name))
        }
        for file in expected {
            try Data(file.text.utf8).write(to: generated.appending(path: file.name))
        }
    }

    private func markdown(in directory: String) throws -> [String] {
        try names(in: directory).filter { $0.hasSuffix(".md") }.map { "\(directory)/\($0)" }
    }

    private func names(in directory: String) throws -> [String] {
        guard exists(directory) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: root.appending(path: directory).path).sorted()
    }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }
}
