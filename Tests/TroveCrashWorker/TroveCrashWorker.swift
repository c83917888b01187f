// The other process of the crash tests: `run PATH SEED DURABILITY TIMEOUT`, `transfer PATH NAME`, `audit PATH`, `fork
// PATH`, `hold-writer PATH [NUMBER]`, `hold-reader PATH`, `migrate PATH LAYOUT POLICY STEPS`, `build PATH POLICY
// STEPS`, `graph PATH SEED`, `text PATH SEED`, `rank PATH SEED`, `history PATH SEED`, `follow SOURCE COPY`, `observe
// PATH READS`, `convert PATH`.

import Foundation
import Trove

@main
enum TroveCrashWorker {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        // A signal ends a hanging process, and the test fails. A run takes less than a second.
        alarm(arguments.first == "run" ? 300 : 3600)
        do {
            let rest = Array(arguments.dropFirst())
            switch arguments.first {
            case "run": try await ScriptedRun(rest).run()
            case "transfer": try BankCommands(rest).transfer()
            case "audit": try BankCommands(rest).audit()
            case "fork": try ForkCommand(rest).run()
            case "hold-writer": try HoldCommands(rest).holdWriter()
            case "hold-reader": try HoldCommands(rest).holdReader()
            case "migrate": try MigrateCommand(rest).run()
            case "build": try BuildCommand(rest).run()
            case "graph": try GraphCommand(rest).run()
            case "text": try TextCommand(rest).run()
            case "rank": try RankCommand(rest).run()
            case "history": try HistoryCommand(rest).run()
            case "follow": try await FollowCommand(rest).run()
            case "convert": try ConvertCommand(rest).run()
            case "observe": try ObserveCommand(rest).run()
            default: throw WorkerError(arguments: arguments)
            }
        } catch {
            say("error: \(error)")
            exit(1)
        }
    }
}

struct WorkerError: Error {
    var arguments: [String]
}

/// Prints a line at once.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
