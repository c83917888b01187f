// What must hold for the meta pages of a data file.
//
//     input = bytes of the first meta page · bytes of the second        fewer: the rest stays as it was

import Foundation
import LMDB
import TroveTestSupport

enum MetaPageProperties {
    /// The bytes of a meta page that liblmdb gives a meaning.
    private static let size = 152

    static func check(_ input: [UInt8]) throws {
        var bytes = try SampleFile.sound.get().bytes
        let pageSize = try SampleFile.sound.get().pageSize
        for (index, byte) in input.prefix(2 * size).enumerated() {
            bytes[index < size ? index : pageSize + index - size] = byte
        }
        try SampleFile.use(bytes)
    }
}
