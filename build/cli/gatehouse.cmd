@echo off
setlocal
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\Gatehouse.exe" "%~dp0..\resources\app.asar\out\cli\main.js" %*
exit /b %ERRORLEVEL%
