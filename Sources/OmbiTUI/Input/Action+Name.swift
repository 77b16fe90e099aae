/// The names of actions in settings, which stay the same whatever the screen calls them. An action without one is never
/// bound to a key.
extension Action {
    var name: String? {
        switch self {
        case .app(let action): action.name
        case .files(let action): action.name
        case .run(let action): action.name
        case .batch(let action): action.name
        case .tree(let action): action.name
        case .request(let action): action.name
        case .response(let action): action.name
        case .environments(let action): action.name
        case .view(let action): action.rawValue
        case .editor(let action): action.rawValue
        case .mouse: nil
        case .move(let movement): movement.rawValue
        case .text(let edit): edit.name
        case .accept: "accept"
        case .nextField: "nextField"
        case .leave: "leave"
        case .confirm(let isYes): isYes ? "yes" : "no"
        case .copy: "copy"
        case .chooseCopy: "chooseCopy"
        case .copyText, .inOrder: nil
        }
    }
}

extension AppAction {
    fileprivate var name: String? {
        switch self {
        case .focus(.tree): "focusRequests"
        case .focus(.request): "focusRequest"
        case .focus(.response): "focusResponse"
        case .focusNext: "focusNext"
        case .focusPrevious: "focusPrevious"
        case .zoom: "zoom"
        case .moveSplit(let movement): "split" + movement.rawValue.asSentence
        case .help: "help"
        case .manual: "manual"
        case .palette: "commands"
        case .log: "messageLog"
        case .showAllHistory: "showAllHistory"
        case .redraw: "redraw"
        case .suspend: "suspend"
        case .interrupt: "interrupt"
        case .quit: "quit"
        case .askForIncident: "reportIncident"
        case .useTheme, .writeIncident, .askForMark, .showObjectives, .compareAroundMark, .markMoment, .useRecorded,
            .unbound, .chord, .endChord,
            .quitCancelling, .quitWithoutSaving, .answer:
            nil
        }
    }
}

extension FileAction {
    fileprivate var name: String? {
        switch self {
        case .save: "save"
        case .undo: "undo"
        case .redo: "redo"
        case .chooseEnvironment: "chooseEnvironment"
        case .signOut: "signOut"
        case .addScratch: "addScratch"
        case .askToImport: "import"
        case .chooseSecrets: "moveSecrets"
        case .switchEnvironment, .saveAllAndQuit, .saveAndEdit, .saveAndClose, .saveMovingSecrets, .saveAsItIs,
            .saveForeign, .overwrite, .resolve, .restoreDraft, .offerDraft, .askToDiscard, .discardDraft, .paste,
            .send, .moveSecrets:
            nil
        }
    }
}

extension RunAction {
    fileprivate var name: String? {
        switch self {
        case .send: "send"
        case .cancel: "cancel"
        case .retryNow: "retryNow"
        case .addAttempt: "addAttempt"
        case .preview: "preview"
        case .askForMessage: "sendMessage"
        case .chooseMessage: "chooseMessage"
        case .nextPage: "nextPage"
        case .toggleFallback: "toggleFallback"
        case .allPages: "allPages"
        case .askToWatch: "watch"
        case .sendProtected, .sendMessage, .watch: nil
        }
    }
}

extension BatchAction {
    fileprivate var name: String? {
        switch self {
        case .show: "showTable"
        case .chooseReplay: "replay"
        case .goTo: "goToRequest"
        case .ignoreProposed: "ignore"
        case .cancelAll: "cancelAll"
        case .runFailed: "runFailed"
        case .ask, .chooseReplayOf, .ignore, .beginEverywhere, .begin, .beginConfirmed, .close, .runFailedConfirmed: nil
        }
    }
}

extension EnvironmentAction {
    fileprivate var name: String? {
        switch self {
        case .edit: "edit"
        case .use: "use"
        case .showUses: "showUses"
        case .chooseList: "addRow"
        case .renameRow: "renameRow"
        case .deleteValue: "deleteValue"
        case .deleteRow: "deleteRow"
        case .askForName: "add"
        case .duplicate: "duplicate"
        case .askForNewName: "rename"
        case .delete: "delete"
        case .open: "editEnvironments"
        case .close, .show, .goTo, .addRow, .renamePart, .add, .rename, .deleteNamed: nil
        }
    }
}

extension TreeAction {
    fileprivate var name: String? {
        switch self {
        case .search: "search"
        case .open: "open"
        case .askForCollection: "addCollection"
        case .askForPath: "openPath"
        case .askToClose: "closeFile"
        case .askForRequest: "addRequest"
        case .askForFolder: "addFolder"
        case .delete: "delete"
        case .duplicate: "duplicate"
        case .askForName: "rename"
        case .move(let rows): rows > 0 ? "moveItemDown" : "moveItemUp"
        case .editFile: "editFile"
        case .mark: "mark"
        case .moveIn: "moveItemIn"
        case .moveOut: "moveItemOut"
        case .chooseTarget(.copy): "copyTo"
        case .chooseTarget: "moveTo"
        case .putHere(.copy): "copyHere"
        case .putHere: "moveHere"
        case .select, .askForHost, .begin, .openPath, .close, .addRequest, .addFolder, .deleteItems, .rename, .put,
            .putInNewFolder, .saveInNew, .askToSaveInNew:
            nil
        }
    }
}

extension RequestAction {
    fileprivate var name: String? {
        switch self {
        case .edit: "edit"
        case .nextTab: "nextTab"
        case .previousTab: "previousTab"
        case .showTab(let number): "tab\(number)"
        case .toggleRow: "toggleRow"
        case .addRow: "addRow"
        case .deleteRow: "deleteRow"
        case .describeRow: "describeRow"
        case .toggleRaw: "toggleRaw"
        case .addCookie: "addCookie"
        case .showExamples: "showExamples"
        case .showDocumented: "showDocumentedResponses"
        case .introspect: "introspect"
        case .chooseOperation: "addOperation"
        case .chooseMethod: "chooseMethod"
        case .askForName: "rename"
        case .editExternally: "editExternally"
        case .editNew, .replace, .takeCurl, .copyAs, .capture, .expect, .setPolicy, .goTo, .addOperation: nil
        }
    }
}

extension ResponseAction {
    fileprivate var name: String? {
        switch self {
        case .nextTab: "nextTab"
        case .previousTab: "previousTab"
        case .showTab(let number): "tab\(number)"
        case .editCookie: "editCookie"
        case .deleteCookie: "deleteCookie"
        case .clearCookies: "clearCookies"
        case .showHistory: "showHistory"
        case .showValue: "showValueHistory"
        case .openRecorded: "openRecorded"
        case .olderResponse: "olderResponse"
        case .newerResponse: "newerResponse"
        case .askToDeleteRecorded: "deleteRecorded"
        case .filterHistory: "filterHistory"
        case .markRecorded: "markRecorded"
        case .compareRecorded: "compareRecorded"
        case .simulate: "tryPolicy"
        case .askForRange: "limitStatistics"
        case .toggleAddress: "sendToAddress"
        case .openSignIn: "openSignIn"
        case .askForRedirect: "pasteRedirect"
        case .setCookie, .deleteRecorded, .submitRedirect, .copyRecorded, .limitStatistics, .showExample: nil
        case .showExpected: "showExpected"
        case .openAttempt: "openAttempt"
        case .expect: "expect"
        case .askForCapture: "capture"
        }
    }
}

extension TextEdit {
    fileprivate var name: String? {
        switch self {
        case .insert: nil
        case .newline: "newline"
        case .indent: "indent"
        case .outdent: "outdent"
        case .deleteBackward: "deleteBackward"
        case .deleteForward: "deleteForward"
        case .deleteWordBackward: "deleteWordBackward"
        case .deleteWordForward: "deleteWordForward"
        case .deleteToStart: "deleteToStart"
        case .deleteToEnd: "deleteToEnd"
        case .move(let move): "move" + move.rawValue.asSentence
        case .select(let move): "select" + move.rawValue.asSentence
        case .selectAll: "selectAll"
        case .mark: "mark"
        case .cut: "cut"
        case .copy: "copy"
        case .duplicate: "duplicate"
        case .paste: "paste"
        case .moveLinesUp: "moveLinesUp"
        case .moveLinesDown: "moveLinesDown"
        case .undo: "undo"
        case .redo: "redo"
        }
    }
}
