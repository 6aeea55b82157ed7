; Entries of the registry for "Open with" and for desk:// links. The app is offered for .csv and
; .xlsx and never becomes their default, which electron-builder's own associations would make it.
; SHCTX is the machine or the user, as the person who installs has chosen.

!define DESK_CLASSES "Software\Classes"
!define DESK_RUN "Software\Microsoft\Windows\CurrentVersion\Run"
!define DESK_APPROVED "Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
!define DESK_FILE_CLASS "EnrichmentDesk.List"

!macro customInstall
  WriteRegStr SHCTX "${DESK_CLASSES}\${DESK_FILE_CLASS}" "" "List of contacts"
  WriteRegStr SHCTX "${DESK_CLASSES}\${DESK_FILE_CLASS}\DefaultIcon" "" "$appExe,0"
  WriteRegStr SHCTX "${DESK_CLASSES}\${DESK_FILE_CLASS}\shell\open\command" "" '"$appExe" "%1"'
  WriteRegStr SHCTX "${DESK_CLASSES}\.csv\OpenWithProgids" "${DESK_FILE_CLASS}" ""
  WriteRegStr SHCTX "${DESK_CLASSES}\.xlsx\OpenWithProgids" "${DESK_FILE_CLASS}" ""
  WriteRegStr SHCTX "${DESK_CLASSES}\desk" "" "URL:Enrichment Desk link"
  WriteRegStr SHCTX "${DESK_CLASSES}\desk" "URL Protocol" ""
  WriteRegStr SHCTX "${DESK_CLASSES}\desk\shell\open\command" "" '"$appExe" "%1"'
!macroend

!macro customUnInstall
  DeleteRegValue SHCTX "${DESK_CLASSES}\.csv\OpenWithProgids" "${DESK_FILE_CLASS}"
  DeleteRegValue SHCTX "${DESK_CLASSES}\.xlsx\OpenWithProgids" "${DESK_FILE_CLASS}"
  DeleteRegKey SHCTX "${DESK_CLASSES}\${DESK_FILE_CLASS}"
  DeleteRegKey SHCTX "${DESK_CLASSES}\desk"
  ; What the app itself writes for the user: the start at login, and links of earlier versions. An
  ; update keeps them.
  ${ifNot} ${isUpdated}
    DeleteRegValue HKCU "${DESK_RUN}" "${APP_ID}"
    DeleteRegValue HKCU "${DESK_APPROVED}" "${APP_ID}"
    DeleteRegKey HKCU "${DESK_CLASSES}\desk"
  ${endIf}
!macroend
