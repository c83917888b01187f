// The program behind scripts/update-doc-samples: writes the generated files of the repository it is run in.

import Foundation

@main
enum UpdateDocumentationSamples {
    static func main() throws {
        let documents = Documents(root: URL(filePath: FileManager.default.currentDirectoryPath))
        try documents.update()
    }
}
