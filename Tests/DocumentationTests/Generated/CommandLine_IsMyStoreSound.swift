// The Swift samples of Docs/CommandLine.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/CommandLine.md:121
@IndexKeyRecord("name")
private struct Guest {
    let name: String
}

enum CommandLine_IsMyStoreSound {
    @Sendable static func run() throws {
        // Docs/CommandLine.md:121
        let written = try Store(path: samplePath("upload.trove"))
        try written.insert(Guest(name: "Zoe"))
        let upload = written.path
        // Docs/CommandLine.md:131
        let guests = try Store(path: upload, options: StoreOptions(isReadOnly: true, verifiesFile: true))
        expectOutput(try Guest.query().count(in: guests), is: #"1"#, at: "Docs/CommandLine.md:132")
        _ = written
        _ = upload
        _ = guests
    }
}
