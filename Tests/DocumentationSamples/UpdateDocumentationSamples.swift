// The program of scripts/update-doc-samples, which writes the generated files of the repository in the current
// directory.

import Foundation

@main
enum UpdateDocumentationSamples {
    static func main() throws {
        let documents = Documents(root: URL(filePath: FileManager.default.currentDirectoryPath))
        try documents.update()
    }
}
