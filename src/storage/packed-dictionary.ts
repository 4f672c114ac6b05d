/**
 * Text that packed data is likely to repeat, the likeliest last. Data packed with a dictionary needs it for ever: add
 * another one at the end, never change one that has shipped.
 */
export const DICTIONARIES: readonly Buffer[] = [
  Buffer.from(
    [
      '{"fields":{"APP_QRZLOG_LOGID":"1244003660","APP_QRZLOG_STATUS":"C","APP_QRZLOG_QSLDATE":"20260731","BAND":"40m","BAND_RX":"40m",',
      '"CALL":"","CNTY":"","CONT":"EU","COUNTRY":"United States","CQZ":"14","DXCC":"291","EMAIL":"","EQSL_QSL_RCVD":"N",',
      '"EQSL_QSL_SENT":"N","FREQ":"7.074","FREQ_RX":"7.074","GRIDSQUARE":"","IOTA":"none","ITUZ":"28","LAT":"N0","LON":"W0",',
      '"LOTW_QSL_RCVD":"Y","LOTW_QSL_SENT":"Y","LOTW_QSLRDATE":"2026","MODE":"SSB","MY_CITY":"","MY_CNTY":"","MY_COUNTRY":"United States",',
      '"MY_CQ_ZONE":"4","MY_DXCC":"291","MY_GRIDSQUARE":"","MY_ITU_ZONE":"8","MY_LAT":"N0","MY_LON":"W0","MY_NAME":"","MY_STATE":"",',
      '"NAME":"","NOTES":"","QRZCOM_QSO_UPLOAD_STATUS":"Y","QRZCOM_QSO_UPLOAD_DATE":"2026","QSL_RCVD":"N","QSL_SENT":"N","QSL_VIA":"",',
      '"QSO_DATE":"2026","QSO_DATE_OFF":"2026","QTH":"","RST_RCVD":"59","RST_SENT":"59","RX_PWR":"","STATE":"","STATION_CALLSIGN":"",',
      '"TIME_OFF":"1200","TIME_ON":"1200","TX_PWR":"100"}}',
      '"comment":"","name":"","qth":"","propMode":"SAT","satName":"","txPower":100,"freqHz":14074000,"submode":"FT4","operator":"",',
      '"own":{"file":{"fields":{"CALL":"","QSO_DATE":"2026","TIME_ON":"12","BAND":"20m","FREQ":"14.074","MODE":"FT8","RST_SENT":"-10","RST_RCVD":"-12"}}},',
      '{"createdAt":17,"updatedAt":17,"rulesVersion":1,"call":"","startedAt":17,"endedAt":17,"band":"20m","mode":"MFSK","modeGroup":"digital",',
      '"stationCallsign":"","rstSent":"599","rstRcvd":"599","dxcc":291,"continent":"NA","cqZone":4,"ituZone":7,"prefix":"K","state":"","county":"","gridsquare":"","iota":"",',
      '"year":2026,"firstId":"|20M|2026-0","firstConfirmed":true,"firstConfirmedAt":17,"secondConfirmed":false,"secondId":"","secondConfirmedAt":17,"cardConfirmed":false,',
      '"awardEntity":291,"awardState":"","awardZone":4,"awardGrids":"","firstEntity":291,"firstState":"","firstZone":4,"firstGrids":"","twoWay":true,"credits":"","first":{"qso":{"fields":{',
      '"first":{"qsl":{"fields":{"APP_LOTW_OWNCALL":"","STATION_CALLSIGN":"","MY_DXCC":"291","MY_COUNTRY":"UNITED STATES OF AMERICA",',
      '"APP_LOTW_MY_DXCC_ENTITY_STATUS":"Current","MY_GRIDSQUARE":"","MY_STATE":"","MY_CNTY":"","MY_CQ_ZONE":"04","MY_ITU_ZONE":"07",',
      '"CALL":"","BAND":"20M","FREQ":"14.07","MODE":"FT8","SUBMODE":"FT4","APP_LOTW_MODEGROUP":"DATA","QSO_DATE":"202","APP_LOTW_RXQSO":"2026-0",',
      '"TIME_ON":"","APP_LOTW_QSO_TIMESTAMP":"2026-0","QSL_RCVD":"Y","QSLRDATE":"2026","APP_LOTW_RXQSL":"2026-0","DXCC":"291",',
      '"COUNTRY":"UNITED STATES OF AMERICA","APP_LOTW_DXCC_ENTITY_STATUS":"Current","PFX":"","APP_LOTW_2XQSL":"Y","GRIDSQUARE":"","STATE":"","CNTY":"",',
      '"CQZ":"04","APP_LOTW_CQZ_INFERRED":"Y","ITUZ":"07","APP_LOTW_ITUZ_INFERRED":"Y"}}}',
    ].join(""),
  ),
];
