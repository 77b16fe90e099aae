/// The help, and the first screen on a terminal without symbols.
extension DrawnScreens {
    static let helpWide = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ╭┌─ Keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────────┐╮
        ││ Response                                                  3                Go to the response                      ││
        ││ ] Enter          Go to the next tab                       z                Toggle full screen for this pane        ││
        ││ [                Go to the previous tab                   Alt+Left         Move the divider left                   ││
        ││ Left h           Scroll left                              Alt+Right        Move the divider right                  ││
        ││ Right l          Scroll right                             Alt+Up           Move the divider up                     ││
        ││                                                           Alt+Down         Move the divider down                   ││
        ││ Lists and bodies                                          y                Copy the response, or the URL of the    ││
        ││ Up k             Move up                                                   request                                 ││
        ││ Down j           Move down                                Ctrl+L           Redraw the screen                       ││
        ││ PageUp           Move a page up                           Ctrl+Z           Suspend Ombi (fg resumes it)            ││
        ││ PageDown Space   Move a page down                         Esc              Leave full screen                       │┪
        ││ Ctrl+U           Move half a page up                      : Ctrl+P         Find a command, a request or an         │┃
        ││ Ctrl+D           Move half a page down                                     environment                             │┃
        ││ g Home           Go to the top                            L                Show the message log                    │┃
        ││ G End            Go to the end                            F1               Open the manual                         │┃
        ││                                                           ?                Show this help                          │┃
        ││ Everywhere                                                q Ctrl+C         Quit, after a question about unsaved    │┃
        ││ s F5             Send the request                                          edits                                   │┃
        ││ x                Cancel the run                                                                                    │┃
        ││ r                Retry now: end the wait or the attempt   Symbols                                                  │┃
        ││ +                Allow one more attempt                   ●                Has unsaved edits                       │┃
        ││ E                Switch the environment                   ✓                Succeeded; valid; sent                  │┃
        ││ w                Save the collection                      ✗                Failed; invalid; unreadable             │┃
        ││ u                Undo the last edit of the collection     ·                Switched off: not sent                  │┃
        ││ U Ctrl+R         Redo the edit undone last                ↻                Running; in the header: how many run    │┃
        ││ Tab              Go to the next pane                      ↑                Inherited; in a frame: more above       │┃
        ││ Shift+Tab        Go to the previous pane                  ↓                More below                              │┃
        ││ 1                Go to the requests                       ▾ ▸              Open, closed; in the header: a choice   │┃
        ││ 2                Go to the request                        →                Redirected to                           │┃
        │└────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘┃
        ╰──────────────────────────── 3/5 ─┺━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┛
         / search  PageDown more  Esc close
        """

    static let helpSearch = """
         demo › users › list users                                                                      local ▾  127.0.0.1:8765
        ┏┌─ Keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────────┐╮
        ┃│ /copy                                                                                                              ││
        ┃│                                                                                                                    ││
        ┃│ Requests                                                                                                           ││
        ┃│ Y                Copy the request as a URL or as curl                                                              ││
        ┃│                                                                                                                    ││
        ┃│ Everywhere                                                                                                         ││
        ┃│ y                Copy the response, or the URL of the                                                              ││
        ┃│                  request                                                                                           ││
        ┃│                                                                                                                    ││
        ┃│ Request                                                                                                            ││
        ┃│ Y                Copy the request as a URL or as curl                                                              │┤
        ┃│                                                                                                                    ││
        ┃│ Body                                                                                                               ││
        ┃│ y                Copy the value or line under the                                                                  ││
        ┃│                  cursor                                                                                            ││
        ┃│ Y                Copy the whole body                                                                               ││
        ┃│ C                Copy the path of the value under the                                                              ││
        ┃│                  cursor                                                                                            ││
        ┃│                                                                                                                    ││
        ┃│ Selected rows                                                                                                      ││
        ┃│ y                Copy the selected rows                                                                            ││
        ┃│                                                                                                                    ││
        ┃│ Editing a field                                                                                                    ││
        ┃│ Alt+c            Copy the selection, or the line                                                                   ││
        ┃│                                                                                                                    ││
        ┃│ Editing a body                                                                                                     ││
        ┃│ Alt+c            Copy the selection, or the line                                                                   ││
        ┃│                                                                                                                    ││
        ┃│                                                                                                                    ││
        ┃└────────────────────────────────────────────────────────────────────────────────────────────────────────────────────┘│
        ┗━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3/5 ━┹───────────────────────────────────────────────────────────────────────────────────╯
         Enter keep  Esc all keys
        """

    static let ascii = """
         demo > users > list users                              local v  127.0.0.1:8765
        + 1 Requests ==================================================================+
        | v demo                                                                     3 |
        |  v users                                                                   3 |
        |    GET   list users                                                          |
        |    GET   user by id                                                          |
        |    POST  create user                                                         |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        |                                                                              |
        +======================================================================== 3/5 =+
         s send  Enter open  / search  a add  R rename  : commands  ? help  q quit
        """
}
