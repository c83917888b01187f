// The Swift samples of Docs/DataModeling.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/DataModeling.md:1129
@IndexKeyRecord("id")
private struct Photo {
    let id: Int
    var thumbnail: Data?
    var shownThumbnail: Data { thumbnail ?? Data(count: 10_000) }
}

enum DataModeling_ChangingYourMind {
    @Sendable static func run() throws {
        // Docs/DataModeling.md:1129

        expectOutput(Photo(id: 1).shownThumbnail.count, is: #"10000"#, at: "Docs/DataModeling.md:1136")
    }
}
