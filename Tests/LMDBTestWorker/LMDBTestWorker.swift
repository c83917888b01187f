// The second process of tests: a program that opens an environment and runs a single command.

import Foundation
import LMDB

@main
enum LMDBTestWorker {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "hold-reader": try EnvironmentCommands(arguments).holdReader()
            case "hold-writer": try EnvironmentCommands(arguments).holdWriter()
            case "write": try EnvironmentCommands(arguments).write()
            case "write-and-reopen": try EnvironmentCommands(arguments).writeAndReopen()
            case "read-until": try EnvironmentCommands(arguments).readUntil()
            case "starve": try EnvironmentCommands(arguments).starve()
            case "watch-without-descriptors": try EnvironmentCommands(arguments).watchWithoutDescriptors()
            case "sample": try SampleFile.create(at: arguments[1])
            case "drop": try EnvironmentCommands(arguments).drop()
            case "hold-temporary": try HoldTemporaryCommand(path: arguments[1]).run()
            case "lock-file": try LockFileCommand(path: arguments[1] + "-lock").run()
            case "lock-owner": try LockOwnerCommand(path: arguments[1]).run()
            case "fork": try ForkCommand(path: arguments[1]).run()
            default: throw WorkerError(message: "unknown command \(arguments)")
            }
        } catch {
            say("error: \(error)")
            exit(1)
        }
    }
}

struct WorkerError: Error {
    var message: String
}

/// Sends a line to the test, without buffering.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
