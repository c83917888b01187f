// The command in a build without the trait `CommandLine`: it only says how to enable the trait.

#if !CommandLine
import Foundation

/// Reports the missing trait.
@main
enum MissingTrait {
    static func main() {
        FileHandle.standardError.write(
            Data(
                """
                trove: This build is without the trait “CommandLine”. In a clone of Trove, run \
                `swift run --traits CommandLine trove`. In another package, add `traits: ["CommandLine"]` to its \
                dependency on Trove.

                """.utf8))
        exit(EX_USAGE)
    }
}
#endif
